package dev.sluice.actuate.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** One WebSocket session; its queues have its id. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SessionDescriptor(String id, String type, @Nullable String principal,
		boolean open) implements OperationResponseBody {

}
