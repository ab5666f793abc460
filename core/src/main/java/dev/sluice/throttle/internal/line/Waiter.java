package dev.sluice.throttle.internal.line;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.internal.FieldHandles;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.internal.Refundable;
import org.jspecify.annotations.Nullable;

/** Call in a waiting line: the future returned to its caller. */
public abstract class Waiter extends CompletableFuture<Permit> implements Runnable {

	/*
	 * WAITING to SETTLED by one CAS (claim). The claimant decides how the call ends. A
	 * grant or a time-out claims under the guard of the line's cell. The caller (cancel,
	 * complete, orTimeout) claims without the guard, and then leaves the line under it.
	 * If the caller has completed the future before a claimed grant is delivered, the
	 * permit is refunded and passes to the next waiter.
	 *
	 * "outcome" is written by the claimant before the waiter is handed to the completion
	 * executor, which publishes it. The links and the deadline are guarded by the cell;
	 * "nextOut" by the claimant.
	 *
	 * Attacked by LineTests.
	 */

	private static final Duration LONGEST_TIMED_WAIT = Duration.ofDays(10_000);

	private static final VarHandle SETTLED = FieldHandles.find(MethodHandles.lookup(), "settled", boolean.class);

	/** Time at which the call arrived. */
	public final long since;

	/** Time at which the call is rejected, if {@link #timed}. */
	private long deadline;

	private boolean timed;

	public @Nullable Waiter nextHere;

	@Nullable Waiter nextOut;

	private @Nullable Object outcome;

	private volatile boolean settled;

	protected Waiter(long since) {
		this.since = since;
	}

	/** Limits the wait, measured from the arrival of the call. */
	public void limitWait(Duration maxWait) {
		this.timed = maxWait.compareTo(LONGEST_TIMED_WAIT) <= 0;
		this.deadline = this.timed ? this.since + maxWait.toNanos() : 0;
	}

	boolean isTimed() {
		return this.timed;
	}

	long deadline() {
		return this.deadline;
	}

	boolean isPast(long now) {
		return this.timed && now - this.deadline >= 0;
	}

	public boolean isSettled() {
		return this.settled;
	}

	/** Claims the right to end the call. Exactly one thread succeeds. */
	public boolean claim() {
		return SETTLED.compareAndSet(this, false, true);
	}

	/** Sets the outcome of the call: a {@link Permit} or a {@link Throwable}. */
	void settle(Object outcome) {
		this.outcome = outcome;
	}

	/** Delivers the outcome; on the completion executor. */
	@Override
	public void run() {
		Object outcome = Objects.requireNonNull(this.outcome);
		try {
			report(outcome);
		}
		finally {
			deliver(outcome);
		}
	}

	private void deliver(Object outcome) {
		if (outcome instanceof Permit permit) {
			if (!super.complete(permit)) {
				Refundable.refund(permit);
			}
		}
		else {
			super.completeExceptionally((Throwable) outcome);
		}
	}

	/** Notifies the listeners of the outcome. */
	protected abstract void report(Object outcome);

	/** Leaves the line after the caller has completed the future. */
	protected abstract void leave();

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		return super.cancel(mayInterruptIfRunning) && left();
	}

	@Override
	public boolean complete(Permit value) {
		return super.complete(value) && left();
	}

	@Override
	public boolean completeExceptionally(Throwable ex) {
		return super.completeExceptionally(ex) && left();
	}

	private boolean left() {
		if (claim()) {
			leave();
		}
		return true;
	}

}
