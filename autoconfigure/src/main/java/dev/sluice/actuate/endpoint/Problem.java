package dev.sluice.actuate.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Reason why a request is rejected, and the field that it is about. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Problem(int status, @Nullable String field, String detail) implements OperationResponseBody {

}
