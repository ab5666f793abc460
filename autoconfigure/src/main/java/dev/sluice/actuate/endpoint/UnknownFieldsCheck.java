package dev.sluice.actuate.endpoint;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/**
 * Rejects a change with unknown fields. The endpoint's method does not receive them, so
 * that a misspelt field would be ignored without an error.
 */
class UnknownFieldsCheck implements OperationInvokerAdvisor {

	private static final EndpointId ENDPOINT = EndpointId.of("throttling");

	private static final List<String> SELECTORS = List.of("kind", "name");

	private static final Map<String, List<String>> FIELDS = Map.of("executors",
			List.of("maxTasksBeforeYield", "version"), "queues", List.of("action"), "throttles", List.of("action",
					"type", "limit", "period", "buckets", "capacity", "minLimit", "maxLimit", "dryRun", "version"));

	@Override
	public OperationInvoker apply(EndpointId endpointId, OperationType operationType, OperationParameters parameters,
			OperationInvoker invoker) {
		return (endpointId.equals(ENDPOINT) && operationType == OperationType.WRITE)
				? (context) -> invoke(context, invoker) : invoker;
	}

	private static @Nullable Object invoke(InvocationContext context, OperationInvoker invoker) {
		Map<String, Object> arguments = context.getArguments();
		List<String> known = FIELDS.get(Objects.toString(arguments.get("kind")));
		if (known != null) {
			for (Map.Entry<String, Object> argument : arguments.entrySet()) {
				String field = argument.getKey();
				if (argument.getValue() != null && !SELECTORS.contains(field) && !known.contains(field)) {
					return RejectedRequestException
						.badField(field, "'" + field + "' is unknown; known: " + String.join(", ", known))
						.response();
				}
			}
		}
		return invoker.invoke(context);
	}

}
