package dev.sluice.actuate.endpoint;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Everything at a glance: queues by executor, sessions, limits and batches by name, the
 * cluster, and how often a listener of the limits has thrown.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ThrottlingDescriptor(Map<String, ExecutorDescriptor> queues, @Nullable SessionsDescriptor sessions,
		Map<String, ThrottleDescriptor> throttles, @Nullable Map<String, BatchDescriptor> batches,
		@Nullable ClusterDescriptor cluster, long listenerFailures) implements OperationResponseBody {

}
