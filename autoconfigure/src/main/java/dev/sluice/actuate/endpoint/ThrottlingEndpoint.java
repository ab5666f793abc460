package dev.sluice.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.batch.BatchConsumer;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows every queue, limit and batch, and the cluster; changes them where its access is
 * unrestricted. Over JMX, a rejected change throws an exception with the reason.
 */
@Endpoint(id = "throttling", defaultAccess = Access.READ_ONLY)
class ThrottlingEndpoint {

	private final Map<String, SequentialLeveledTaskExecutor> executors;

	private final Map<String, BatchConsumer<?>> batches;

	private final @Nullable Sessions sessions;

	private final @Nullable Cluster cluster;

	private final ThrottlingManager limits;

	private final ThrottleSourceRegistry sources;

	private final NameVisibility names;

	private final int top;

	private final ThrottlingChanges changes;

	ThrottlingEndpoint(Map<String, SequentialLeveledTaskExecutor> executors, Map<String, BatchConsumer<?>> batches,
			@Nullable Sessions sessions, @Nullable Cluster cluster, ThrottlingManager limits,
			ThrottleSourceRegistry sources, ThrottlingChanges changes, Show showKeys, int top) {
		this.executors = executors;
		this.batches = batches;
		this.sessions = sessions;
		this.cluster = cluster;
		this.limits = limits;
		this.sources = sources;
		this.names = NameVisibility.shown(showKeys.isShown(true));
		this.top = top;
		this.changes = changes;
	}

	@ReadOperation
	ThrottlingDescriptor throttling() {
		return describe(this.names);
	}

	@ReadOperation
	@Nullable Object part(@Selector String kind, @Selector String name, @Nullable String key) {
		return describe(kind, name, key, this.names);
	}

	@WriteOperation
	@Nullable Object change(@Selector String kind, @Selector String name, @Nullable String action, @Nullable String type,
			@Nullable String limit, @Nullable String period, @Nullable String buckets, @Nullable String capacity,
			@Nullable String minLimit, @Nullable String maxLimit, @Nullable String dryRun, @Nullable String version,
			@Nullable String maxTasksBeforeYield) {
		return change(null, kind, name, action,
				new LimitChange(type, limit, period, buckets, capacity, minLimit, maxLimit, dryRun, version),
				maxTasksBeforeYield, this.names);
	}

	/**
	 * Returns nothing, but not as {@code void}, which no method for HTTP would replace.
	 */
	@DeleteOperation
	@Nullable Object delete(@Selector String kind, @Selector String name, @Nullable String key, @Nullable String owner,
			@Nullable String version) {
		delete(null, kind, name, key, owner, version);
		return null;
	}

	/**
	 * Changes one executor, queue or limit; returns its new state, or null if it was
	 * removed.
	 */
	@Nullable Object change(@Nullable String principal, String kind, String name, @Nullable String action, LimitChange change,
			@Nullable String maxTasksBeforeYield, NameVisibility names) {
		switch (kind) {
			case "executors" -> this.changes.changeExecutor(principal, name, maxTasksBeforeYield, change.version());
			case "queues" -> this.changes.changeQueue(principal, name, action);
			case "throttles" -> this.changes.changeLimit(principal, name, action, change);
			case "batches" -> throw readOnly("batch");
			case "topics" -> throw readOnly("topic");
			case "sessions" ->
				throw RejectedRequestException.notAllowed("A session cannot be changed, only closed by DELETE");
			default -> throw unknown(kind);
		}
		return describe(kind, name, null, names);
	}

	/** Closes one session, or deletes a key or an owner of one limit. */
	void delete(@Nullable String principal, String kind, String name, @Nullable String key, @Nullable String owner,
			@Nullable String version) {
		switch (kind) {
			case "batches" -> throw readOnly("batch");
			case "topics" -> throw readOnly("topic");
			case "executors" ->
				throw RejectedRequestException.notAllowed("An executor cannot be deleted, only changed");
			case "queues" ->
				throw RejectedRequestException.notAllowed("A queue cannot be deleted; drain it, or close its session");
			case "throttles" -> this.changes.deleteFromLimit(principal, name, key, owner, version);
			case "sessions" -> this.changes.closeSession(principal, name);
			default -> throw unknown(kind);
		}
	}

	private static RejectedRequestException readOnly(String thing) {
		return RejectedRequestException.notAllowed("A " + thing + " can be looked at only");
	}

	private static RejectedRequestException unknown(String kind) {
		return RejectedRequestException.notFound("There is nothing of the kind '" + kind
				+ "'; known: batches, executors, queues, throttles, sessions, topics");
	}

	/** Reports that no item of this kind and name exists. */
	static RejectedRequestException missing(String kind, String name) {
		return switch (kind) {
			case "batches" -> RejectedRequestException.notFound("There is no batch '" + name + "'");
			case "executors" -> RejectedRequestException.notFound("There is no executor '" + name + "'");
			case "queues" -> RejectedRequestException.notFound("There is no such queue");
			case "throttles" -> RejectedRequestException.notFound("There is no throttle '" + name + "'");
			case "sessions" -> RejectedRequestException.notFound("There is no such session");
			case "topics" -> RejectedRequestException.notFound("There is no such topic on this node");
			default -> unknown(kind);
		};
	}

	ThrottlingDescriptor describe(NameVisibility names) {
		Map<String, ExecutorDescriptor> queues = new LinkedHashMap<>();
		this.executors.forEach((name, executor) -> queues.put(name, ExecutorDescriptor.of(executor, this.top, names)));
		Map<String, ThrottleDescriptor> throttles = new LinkedHashMap<>();
		this.limits.throttles().forEach((throttle) -> throttles.put(throttle.resource(), describe(throttle, names)));
		return new ThrottlingDescriptor(queues, (this.sessions != null) ? this.sessions.count() : null, throttles,
				describeBatches(), (this.cluster != null) ? this.cluster.describe(this.top, names) : null,
				this.limits.listenerFailures());
	}

	/** Returns null if the application has no batches. */
	private @Nullable Map<String, BatchDescriptor> describeBatches() {
		Map<String, BatchDescriptor> described = new LinkedHashMap<>();
		this.batches
			.forEach((name, consumer) -> described.put(name, BatchDescriptor.of(consumer.snapshot(), this.top)));
		return described.isEmpty() ? null : described;
	}

	/**
	 * Describes one executor, queue, limit, batch, session or topic; null if no item of
	 * that kind and name exists.
	 */
	@Nullable Object describe(String kind, String name, @Nullable String key, NameVisibility names) {
		return switch (kind) {
			case "executors" -> {
				SequentialLeveledTaskExecutor executor = this.executors.get(name);
				yield (executor != null) ? ExecutorDescriptor.of(executor, this.top, names) : null;
			}
			case "batches" -> {
				BatchConsumer<?> batch = this.batches.get(name);
				yield (batch != null) ? BatchDescriptor.of(batch.snapshot(), this.top) : null;
			}
			case "queues" -> describeQueue(name, names);
			case "throttles" -> this.limits.find(name)
				.map((throttle) -> (key != null) ? ThrottleDescriptor.Key.of(throttle.state(key), names)
						: describe(throttle, names))
				.orElse(null);
			case "sessions" -> (this.sessions != null) ? this.sessions.describe(name, names) : null;
			case "topics" -> (this.cluster != null) ? this.cluster.describeTopic(name, names) : null;
			default -> null;
		};
	}

	private @Nullable Object describeQueue(String id, NameVisibility names) {
		Map<String, QueueDescriptor> queues = new LinkedHashMap<>();
		this.executors.forEach((name, executor) -> executor.snapshot(id)
			.ifPresent((queue) -> queues.put(name, QueueDescriptor.of(queue, names))));
		return queues.isEmpty() ? null : OperationResponseBody.of(queues);
	}

	private ThrottleDescriptor describe(Throttle throttle, NameVisibility names) {
		ThrottleSnapshot snapshot = throttle.snapshot(this.top);
		return ThrottleDescriptor.of(snapshot, this.sources.of(snapshot).toString(), names);
	}

}
