package dev.sluice.test;

import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is told to advance, and then runs what was scheduled
 * on it, in the order of time, on the advancing thread. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class SettableClock implements NanoClock {

	private final PriorityQueue<Timer> timers = new PriorityQueue<>();

	private volatile long now;

	private long scheduled;

	/**
	 * Creates a clock that stands at the epoch.
	 */
	public SettableClock() {
		this(0);
	}

	/**
	 * Creates a clock.
	 * @param now the nanoseconds it shows; any number
	 */
	public SettableClock(long now) {
		this.now = now;
	}

	/**
	 * Creates a clock whose zero is the epoch, as the system's is.
	 * @param instant the time it shows
	 * @return a clock
	 */
	public static SettableClock at(Instant instant) {
		return new SettableClock(
				Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), (long) instant.getNano()));
	}

	@Override
	public long nanoTime() {
		return this.now;
	}

	/**
	 * Advances the clock, stopping at each scheduled task on the way to run it.
	 * @param time how far
	 */
	public void advance(Duration time) {
		advanceNanos(time.toNanos());
	}

	/**
	 * Advances the clock, stopping at each scheduled task on the way to run it.
	 * @param nanos how far
	 * @throws IllegalArgumentException if {@code nanos} is negative
	 */
	public void advanceNanos(long nanos) {
		if (nanos < 0) {
			throw new IllegalArgumentException("'nanos' must not be negative: " + nanos);
		}
		long end = this.now + nanos;
		Timer due;
		while ((due = takeDue(end)) != null) {
			due.complete(null);
		}
		synchronized (this.timers) {
			if (end - this.now > 0) {
				this.now = end;
			}
		}
	}

	private @Nullable Timer takeDue(long end) {
		synchronized (this.timers) {
			Timer first = this.timers.peek();
			if (first == null || first.time - end > 0) {
				return null;
			}
			if (first.time - this.now > 0) {
				this.now = first.time;
			}
			return this.timers.poll();
		}
	}

	/**
	 * Counts what is scheduled and was neither run nor cancelled.
	 * @return the number of tasks
	 */
	public int scheduled() {
		synchronized (this.timers) {
			return this.timers.size();
		}
	}

	@Override
	public Future<?> schedule(Runnable task, Duration delay) {
		Timer timer;
		synchronized (this.timers) {
			timer = new Timer(this.now + Math.max(0, delay.toNanos()), this.scheduled++);
			this.timers.add(timer);
		}
		timer.thenRun(task);
		return timer;
	}

	@Override
	public String toString() {
		return "SettableClock[" + Instant.ofEpochSecond(0, this.now) + "]";
	}

	/** A task to be run when the clock shows its time. */
	private final class Timer extends CompletableFuture<@Nullable Void> implements Comparable<Timer> {

		private final long time;

		private final long order;

		Timer(long time, long order) {
			this.time = time;
			this.order = order;
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			synchronized (SettableClock.this.timers) {
				SettableClock.this.timers.remove(this);
			}
			return super.cancel(mayInterruptIfRunning);
		}

		@Override
		public int compareTo(Timer other) {
			int byTime = Long.signum(this.time - other.time);
			return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
		}

	}

}
