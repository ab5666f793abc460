package dev.sluice.jdbc.throttle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits, or is about to.
 */
final class Waiter extends CompletableFuture<Permit> {

	private final Owner owner;

	private final AcquireRequest request;

	private final long deadline;

	private final boolean timed;

	private volatile long entry;

	private volatile long since;

	private volatile boolean placed;

	private volatile @Nullable Future<?> end;

	Waiter(Owner owner, AcquireRequest request, boolean timed) {
		this.owner = owner;
		this.request = request;
		this.timed = timed;
		this.deadline = timed ? System.nanoTime() + request.maxWait().toNanos() : 0;
	}

	Owner owner() {
		return this.owner;
	}

	AcquireRequest request() {
		return this.request;
	}

	long entry() {
		return this.entry;
	}

	void enterAs(long entry) {
		this.placed = false;
		this.since = System.nanoTime();
		this.entry = entry;
	}

	/** Returns the later of a time and the one when it entered. */
	long sinceAtLeast(long time) {
		long entered = this.since;
		return (entered - time > 0) ? entered : time;
	}

	boolean isPlaced() {
		return this.placed;
	}

	void placed(long entry) {
		if (this.entry == entry) {
			this.placed = true;
		}
	}

	/** Returns the microseconds left to wait, at least 1; -1 if there is no end. */
	long left() {
		return this.timed ? Math.max(1, (this.deadline - System.nanoTime()) / 1000) : -1;
	}

	void endBy(Future<?> end) {
		this.end = end;
		if (isDone()) {
			end.cancel(false);
		}
	}

	void cancelEnd() {
		Future<?> last = this.end;
		if (last != null) {
			last.cancel(false);
		}
	}

	/** Calls of one limit, told what becomes of their places in line. */
	interface Owner {

		/**
		 * Told what was granted in line.
		 * @param waiter the call
		 * @param granted a token or a time, or a negative number for nothing to come
		 * @param since when it was not granted yet, of {@link System#nanoTime}
		 */
		void granted(Waiter waiter, long granted, long since);

		/** Has the line of a key served, as the time may have come. */
		void serve(String key);

		/** Stands in line again, as the place was lost. */
		void enterAgain(Waiter waiter);

	}

}
