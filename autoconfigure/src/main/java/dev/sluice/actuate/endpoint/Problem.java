package dev.sluice.actuate.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Reason for the rejection of a request, with the field concerned. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Problem(int status, @Nullable String field, String detail) implements OperationResponseBody {

}
