package dev.sluice.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Applies changes that operators request, and publishes an {@link AuditEvent} for each.
 * An audit event contains the name of each changed item, including keys and owners,
 * because it is useless without them.
 */
class ThrottlingChanges {

	/*
	 * "versioned" is held from the check of a version until the change is made. The other
	 * changes are one call each. Attacked by ThrottlingChangesTests.
	 */

	private final Map<String, SequentialLeveledTaskExecutor> executors;

	private final @Nullable Sessions sessions;

	private final ThrottlingManager limits;

	private final ThrottleSourceRegistry sources;

	private final ApplicationEventPublisher events;

	/**
	 * Held so that no other request comes between the check of a version and its change.
	 */
	private final ReentrantLock versioned = new ReentrantLock();

	ThrottlingChanges(Map<String, SequentialLeveledTaskExecutor> executors, @Nullable Sessions sessions,
			ThrottlingManager limits, ThrottleSourceRegistry sources, ApplicationEventPublisher events) {
		this.executors = executors;
		this.sessions = sessions;
		this.limits = limits;
		this.sources = sources;
		this.events = events;
	}

	/**
	 * Defines, changes or removes a limit as the request specifies. If one part is
	 * rejected, nothing is changed.
	 */
	void changeLimit(@Nullable String principal, String name, @Nullable String action, LimitChange change) {
		if (action != null && !action.equals("remove")) {
			throw RejectedRequestException.badField("action", "'action' must be remove: " + action);
		}
		this.versioned.lock();
		try {
			if (action != null) {
				removeLimit(principal, throttle(name), change);
			}
			else if (change.defines() && this.limits.find(name).isEmpty()) {
				defineLimit(principal, name, change);
			}
			else {
				changeLimit(principal, throttle(name), change);
			}
		}
		finally {
			this.versioned.unlock();
		}
	}

	private void changeLimit(@Nullable String principal, Throttle throttle, LimitChange change) {
		change.check(throttle.snapshot(0).version());
		String before = describe(throttle);
		this.limits.addOrUpdate(throttle.resource(), change.applyTo(throttle.limit()),
				change.applyTo(throttle.options()));
		audit(principal, "SLUICE_LIMIT_CHANGED", "throttle", throttle.resource(), "from", before, "to",
				describe(throttle));
	}

	private void defineLimit(@Nullable String principal, String name, LimitChange change) {
		Limit limit = change.define();
		LimitOptions options = change.applyTo(LimitOptions.defaults());
		try {
			this.limits.addOrUpdate(name, limit, options);
		}
		catch (IllegalArgumentException ex) {
			throw RejectedRequestException.badField("name", ex);
		}
		audit(principal, "SLUICE_LIMIT_DEFINED", "throttle", name, "to", limit + ", " + options);
	}

	/** Calls that use a limit defined by the application would fail without it. */
	private void removeLimit(@Nullable String principal, Throttle throttle, LimitChange change) {
		String name = throttle.resource();
		this.sources.atStart(name).ifPresent((source) -> {
			throw RejectedRequestException.conflict("action",
					"Throttle '" + name + "' was defined when the application started, by " + source
							+ ", and calls require it: set 'dryRun' to true to stop rejections");
		});
		change.checkRemoval(throttle.snapshot(0).version());
		String before = describe(throttle);
		try {
			this.limits.remove(name);
		}
		catch (IllegalStateException ex) {
			throw RejectedRequestException.conflict("action", String.valueOf(ex.getMessage()));
		}
		audit(principal, "SLUICE_LIMIT_REMOVED", "throttle", name, "from", before);
	}

	/** Changes how many tasks of a queue the workers of an executor run in a row. */
	void changeExecutor(@Nullable String principal, String name, @Nullable String maxTasksBeforeYield,
			@Nullable String version) {
		SequentialLeveledTaskExecutor executor = this.executors.get(name);
		if (executor == null) {
			throw RejectedRequestException.notFound("There is no executor '" + name + "'");
		}
		this.versioned.lock();
		try {
			LimitChange.checkVersion("executor", version, executor.settingsVersion());
			changeExecutor(principal, name, executor, maxTasksBeforeYield);
		}
		finally {
			this.versioned.unlock();
		}
	}

	private void changeExecutor(@Nullable String principal, String name, SequentialLeveledTaskExecutor executor,
			@Nullable String maxTasksBeforeYield) {
		int before = executor.maxTasksBeforeYield();
		try {
			executor.setMaxTasksBeforeYield(Integer.parseInt(String.valueOf(maxTasksBeforeYield)));
		}
		catch (IllegalArgumentException ex) {
			throw RejectedRequestException.badField("maxTasksBeforeYield",
					"'maxTasksBeforeYield' must be a whole number from 1 to "
							+ SequentialLeveledTaskExecutor.MOST_TASKS_BEFORE_YIELD + ": " + maxTasksBeforeYield);
		}
		audit(principal, "SLUICE_EXECUTOR_CHANGED", "executor", name, "from", before, "to",
				executor.maxTasksBeforeYield());
	}

	/**
	 * Forgets a key of a rate limit, or releases the permits of an owner, for one key or
	 * for all.
	 */
	void deleteFromLimit(@Nullable String principal, String name, @Nullable String key, @Nullable String owner,
			@Nullable String version) {
		this.versioned.lock();
		try {
			deleteFromLimit(principal, throttle(name), key, owner, version);
		}
		finally {
			this.versioned.unlock();
		}
	}

	private void deleteFromLimit(@Nullable String principal, Throttle throttle, @Nullable String key,
			@Nullable String owner, @Nullable String version) {
		if (key == null && owner == null) {
			throw RejectedRequestException
				.noField("Nothing is named: give 'key' to forget a key, or 'owner' to release what an owner holds");
		}
		boolean held = throttle.limit().isHeld();
		if (held && owner == null) {
			throw RejectedRequestException.badField("owner",
					"'owner' is missing: permits of a " + throttle.limit().type() + " are released by owner");
		}
		if (!held && (key == null || owner != null)) {
			throw RejectedRequestException.badField("owner",
					"'owner' does not apply: there are no held permits for a " + throttle.limit().type());
		}
		LimitChange.checkVersion("limit", version, throttle.snapshot(0).version());
		if (owner != null) {
			release(principal, throttle, key, owner);
		}
		else if (key != null) {
			forget(principal, throttle, key);
		}
	}

	private void forget(@Nullable String principal, Throttle throttle, String key) {
		if (!throttle.forget(key)) {
			throw RejectedRequestException.notFound("There is no such key");
		}
		audit(principal, "SLUICE_KEY_FORGOTTEN", "throttle", throttle.resource(), "key", key);
	}

	private void release(@Nullable String principal, Throttle throttle, @Nullable String key, String owner) {
		boolean released = (key != null) ? throttle.release(key, owner)
				: throttle.snapshot(Integer.MAX_VALUE)
					.holders()
					.stream()
					.filter((holder) -> holder.owner().equals(owner))
					.map((holder) -> throttle.release(holder.key(), owner))
					.reduce(false, Boolean::logicalOr);
		if (!released) {
			throw RejectedRequestException.notFound("There is no such owner");
		}
		audit(principal, "SLUICE_OWNER_RELEASED", "throttle", throttle.resource(), "key", key, "owner", owner);
	}

	/** Pauses, resumes or drains a session's inbound queue; does not wait. */
	void changeQueue(@Nullable String principal, String id, @Nullable String action) {
		TaskQueue queue = queue(id);
		String type = switch ((action != null) ? action : "") {
			case "pause" -> {
				queue.pause();
				yield "SLUICE_QUEUE_PAUSED";
			}
			case "resume" -> {
				queue.resume();
				yield "SLUICE_QUEUE_RESUMED";
			}
			case "drain" -> {
				queue.remove();
				yield "SLUICE_QUEUE_DRAINED";
			}
			default ->
				throw RejectedRequestException.badField("action", "'action' must be pause, resume or drain: " + action);
		};
		audit(principal, type, "queue", id);
	}

	/** Starts to close a session. */
	void closeSession(@Nullable String principal, String id) {
		if (this.sessions == null || !this.sessions.close(id)) {
			throw RejectedRequestException.notFound("There is no such session");
		}
		audit(principal, "SLUICE_SESSION_CLOSED", "session", id);
	}

	private Throttle throttle(String name) {
		return this.limits.find(name)
			.orElseThrow(() -> RejectedRequestException
				.notFound("There is no throttle '" + name + "'; to define it, give its 'type', and no 'version'"));
	}

	/**
	 * A session has no queue if no message has arrived since the last one was drained.
	 */
	private TaskQueue queue(String id) {
		boolean known = this.sessions != null && this.sessions.describe(id, NameVisibility.HIDDEN) != null;
		return Optional.ofNullable(this.executors.get("inbound"))
			.filter((executor) -> known || executor.snapshot(id).isPresent())
			.map((executor) -> executor.queue(id))
			.orElseThrow(() -> RejectedRequestException.notFound("There is no such queue"));
	}

	private static String describe(Throttle throttle) {
		return throttle.limit() + ", " + throttle.options();
	}

	/**
	 * Publishes a change.
	 * @param data alternating names and values; pairs with a {@code null} value are
	 * omitted
	 */
	private void audit(@Nullable String principal, String type, @Nullable Object... data) {
		Map<String, @Nullable Object> named = new LinkedHashMap<>();
		for (int i = 0; i < data.length; i += 2) {
			if (data[i + 1] != null) {
				named.put(String.valueOf(data[i]), data[i + 1]);
			}
		}
		this.events.publishEvent(new AuditApplicationEvent(new AuditEvent(principal, type, named)));
	}

}
