package dev.sluice.actuate.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** Why a request was refused, and which of its fields it is about. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Problem(int status, @Nullable String field, String detail) implements OperationResponseBody {

}
