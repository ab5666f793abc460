package dev.sluice.throttle.internal.line;

import java.util.ArrayDeque;
import java.util.Deque;

import dev.sluice.internal.ClockTimer;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Actions decided under guards that are performed, in order, once the guards are
 * released.
 */
public final class DeferredActions {

	private @Nullable Waiter first;

	private @Nullable Waiter last;

	/** Only waiters are common; the other collections are created on demand. */
	private @Nullable Deque<ClockTimer> started;

	private @Nullable Deque<ClockTimer> cancelled;

	private @Nullable Deque<Attempt> attempts;

	/** Ends a claimed call. */
	public void settle(Waiter waiter, Object outcome) {
		waiter.settle(outcome);
		if (this.last == null) {
			this.first = waiter;
		}
		else {
			this.last.nextOut = waiter;
		}
		this.last = waiter;
	}

	/** Tries to serve a waiter for several limits, now that one would admit it. */
	public void attempt(Attempt attempt) {
		this.attempts = added(attempt, this.attempts);
	}

	public void start(ClockTimer alarm) {
		this.started = added(alarm, this.started);
	}

	public void cancel(ClockTimer alarm) {
		this.cancelled = added(alarm, this.cancelled);
	}

	public void perform(NanoClock clock, Completions completions) {
		Attempt attempt;
		while ((attempt = next(this.attempts)) != null) {
			attempt.perform(this);
		}
		ClockTimer alarm;
		while ((alarm = next(this.cancelled)) != null) {
			alarm.cancel();
		}
		while ((alarm = next(this.started)) != null) {
			alarm.start(clock);
		}
		Waiter waiter = this.first;
		while (waiter != null) {
			Waiter next = waiter.nextOut;
			completions.add(waiter);
			waiter = next;
		}
	}

	private static <T> Deque<T> added(T item, @Nullable Deque<T> items) {
		Deque<T> added = (items != null) ? items : new ArrayDeque<>();
		added.add(item);
		return added;
	}

	private static <T> @Nullable T next(@Nullable Deque<T> items) {
		return (items != null) ? items.poll() : null;
	}

	/** Attempt to serve a waiter for several limits, which takes the guards of all. */
	public interface Attempt {

		/** Serves the waiter and defers the resulting actions. */
		void perform(DeferredActions deferred);

	}

}
