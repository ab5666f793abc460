package dev.sluice.jdbc.throttle;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for permits, or is about to wait.
 */
final class WaitingCall extends CompletableFuture<Permit> {

	/*
	 * "entry" identifies the place in line, and is the last field that enterAs() writes.
	 * placed() ignores the answer for an earlier entry. "end" is written before the
	 * completion is read, and read after the completion, so one of the two threads
	 * cancels the timer. Attacked by WaitingCallsTests and JdbcFaultTests.
	 */

	private final Owner owner;

	private final AcquireRequest request;

	private final long deadline;

	private final boolean timed;

	private volatile long entry;

	private volatile long since;

	private volatile boolean placed;

	private volatile @Nullable Future<?> end;

	WaitingCall(Owner owner, AcquireRequest request, boolean timed) {
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

	/** Returns the later of the given time and the time at which this call entered. */
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

	/** Returns the microseconds left to wait, at least 1; -1 if the wait has no end. */
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

	/** Limit of a waiting call, which handles the outcome of its place in line. */
	interface Owner {

		/**
		 * Handles the outcome of a place in line.
		 * @param waiter the call
		 * @param granted a token or a time; negative if the call is not granted
		 * @param since a time of {@link System#nanoTime} before the grant
		 */
		void granted(WaitingCall waiter, long granted, long since);

		/** Serves the line of a key, when its first call may be due. */
		void serve(String key);

		/** Enters a call again, when the database has lost its place. */
		void enterAgain(WaitingCall waiter);

	}

}
