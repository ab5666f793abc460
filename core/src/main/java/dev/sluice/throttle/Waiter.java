package dev.sluice.throttle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** A call in line: the future that its caller got. */
final class Waiter extends CompletableFuture<Permit> implements Runnable {

	/*
	 * WAITING to SETTLED by one CAS (claim). The claimant decides how the call ends: a
	 * grant or a time-out claims under the guard of the line's cell, the caller (cancel,
	 * complete, orTimeout) without it, and then leaves the line under it. A grant that
	 * was claimed may still find, when it is delivered, that the caller has completed the
	 * future; then it is given back, and so passes on to the next in line.
	 *
	 * "outcome" is written by the claimant before the waiter is handed to the completion
	 * executor, which publishes it. The links are guarded by the cell; "nextOut" by the
	 * claimant. A waiter for several rates stands in the line of each; its grant claims
	 * under the guards of all, any other end under one or none, and leaves the other
	 * lines after that: there a claimed waiter is passed over.
	 *
	 * Attacked by LineTests.
	 */

	private static final VarHandle SETTLED;

	static {
		try {
			SETTLED = MethodHandles.lookup().findVarHandle(Waiter.class, "settled", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** Where it stands: in one line, or in those of several rates at once. */
	final List<Place> places;

	/** Whether a step over all its lines serves it, and not the one line. */
	private final boolean joint;

	final long since;

	/** When the call's time is over, if {@link #timed}. */
	final long deadline;

	final boolean timed;

	/** When the one rate granted the permits, for a refund that takes back just those. */
	long grantedAt;

	@Nullable Waiter nextHere;

	@Nullable Waiter nextOut;

	private @Nullable Object outcome;

	private volatile boolean settled;

	Waiter(List<Place> places, boolean joint, long since, long deadline, boolean timed) {
		this.places = places;
		this.joint = joint;
		this.since = since;
		this.deadline = deadline;
		this.timed = timed;
	}

	boolean isJoint() {
		return this.joint;
	}

	boolean isPast(long now) {
		return this.timed && now - this.deadline >= 0;
	}

	boolean isSettled() {
		return this.settled;
	}

	/** Wins the right to end the call; of all who try, one does. */
	boolean claim() {
		return SETTLED.compareAndSet(this, false, true);
	}

	/** Notes how the call ends: a {@link Permit} or a {@link Throwable}. */
	void settle(Object outcome) {
		this.outcome = outcome;
	}

	/** Delivers the outcome; on the completion executor. */
	@Override
	public void run() {
		Object outcome = Objects.requireNonNull(this.outcome);
		for (Place place : this.places) {
			place.throttle.tell(this, place, outcome);
		}
		if (outcome instanceof Permit permit) {
			if (!super.complete(permit)) {
				takeBack(permit);
			}
		}
		else {
			super.completeExceptionally((Throwable) outcome);
		}
	}

	private void takeBack(Permit permit) {
		if (this.joint) {
			Refundable.refund(permit);
		}
		else {
			Place place = this.places.get(0);
			place.throttle.takeBack(this, place, permit);
		}
	}

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

	/** Leaves every line it still stands in. */
	void leaveAll() {
		for (Place place : this.places) {
			place.throttle.leave(this, place);
		}
	}

	private boolean left() {
		if (claim()) {
			leaveAll();
		}
		return true;
	}

}
