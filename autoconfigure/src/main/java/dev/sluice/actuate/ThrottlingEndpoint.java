package dev.sluice.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.autoconfigure.ThrottleSources;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** Shows every queue and every limit. */
@Endpoint(id = "throttling", defaultAccess = Access.READ_ONLY)
class ThrottlingEndpoint {

	private final Map<String, SequentialLeveledTaskExecutor> executors;

	private final @Nullable SessionCounts sessions;

	private final ThrottlingManager limits;

	private final ThrottleSources sources;

	private final Names names;

	private final int top;

	ThrottlingEndpoint(Map<String, SequentialLeveledTaskExecutor> executors, @Nullable SessionCounts sessions,
			ThrottlingManager limits, ThrottleSources sources, Show showKeys, int top) {
		this.executors = executors;
		this.sessions = sessions;
		this.limits = limits;
		this.sources = sources;
		this.names = Names.shown(showKeys.isShown(true));
		this.top = top;
	}

	@ReadOperation
	ThrottlingDescriptor throttling() {
		return describe(this.names);
	}

	@ReadOperation
	@Nullable Object part(@Selector String kind, @Selector String name, @Nullable String key) {
		return describe(kind, name, key, this.names);
	}

	ThrottlingDescriptor describe(Names names) {
		Map<String, ExecutorDescriptor> queues = new LinkedHashMap<>();
		this.executors
			.forEach((name, executor) -> queues.put(name, ExecutorDescriptor.of(executor.snapshot(this.top), names)));
		Map<String, ThrottleDescriptor> throttles = new LinkedHashMap<>();
		this.limits.throttles().forEach((throttle) -> throttles.put(throttle.resource(), describe(throttle, names)));
		return new ThrottlingDescriptor(queues, (this.sessions != null) ? this.sessions.get() : null, throttles);
	}

	/** Describes one queue or one limit; null if there is none of that kind and name. */
	@Nullable Object describe(String kind, String name, @Nullable String key, Names names) {
		return switch (kind) {
			case "queues" -> describeQueue(name, names);
			case "throttles" -> this.limits.find(name)
				.map((throttle) -> (key != null) ? ThrottleDescriptor.Key.of(throttle.state(key), names)
						: describe(throttle, names))
				.orElse(null);
			default -> null;
		};
	}

	private @Nullable Object describeQueue(String id, Names names) {
		Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
		this.executors.forEach((name, executor) -> executor.snapshot(id)
			.ifPresent((queue) -> queues.put(name, QueueDescriptor.of(queue, names))));
		return queues.isEmpty() ? null : OperationResponseBody.of(queues);
	}

	private ThrottleDescriptor describe(Throttle throttle, Names names) {
		ThrottleSnapshot snapshot = throttle.snapshot(this.top);
		return ThrottleDescriptor.of(snapshot, this.sources.of(snapshot).toString(), names);
	}

}
