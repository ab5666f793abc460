package dev.sluice.client;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

/** The timers of a client, one of each kind, used under its lock. */
final class Timers {

	private final DelayScheduler scheduler;

	private final Executor locked;

	private final Map<Kind, Timer> timers = new EnumMap<>(Kind.class);

	/**
	 * Creates timers.
	 * @param scheduler what runs them
	 * @param locked runs an action under the lock of the client
	 */
	Timers(DelayScheduler scheduler, Executor locked) {
		this.scheduler = scheduler;
		this.locked = locked;
	}

	/** Replaces the timer of a kind. */
	void schedule(Kind kind, Duration delay, Runnable action) {
		cancel(kind);
		Timer timer = new Timer();
		this.timers.put(kind, timer);
		timer.future = this.scheduler.schedule(() -> this.locked.execute(() -> {
			if (this.timers.remove(kind, timer)) {
				action.run();
			}
		}), delay);
	}

	boolean isScheduled(Kind kind) {
		return this.timers.containsKey(kind);
	}

	void cancel(Kind kind) {
		Timer timer = this.timers.remove(kind);
		if (timer != null && timer.future != null) {
			timer.future.cancel(false);
		}
	}

	void cancelAll() {
		for (Kind kind : Kind.values()) {
			cancel(kind);
		}
	}

	/** Purpose of a timer. */
	enum Kind {

		RETRY, DEADLINE, ACK, PING

	}

	/** One that is scheduled. */
	private static final class Timer {

		private @Nullable Future<?> future;

	}

}
