package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Refundable;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of requests of a call for several limits, some of them in a store. The call
 * acquires one limit after another. If a limit rejects, the permits acquired so far are
 * refunded before the call waits for that limit.
 */
final class JointStoreRounds extends CompletableFuture<Permit> {

	/*
	 * Rounds. Each round acquires all parts one after another, without waiting except for
	 * the first one, which is the part that ended the previous round: the call waits in
	 * its line. A part that rejects ends the round, and the permits of the round are
	 * refunded before the call joins that part's line. The call therefore holds no
	 * permits while it waits, and waits only where it was rejected.
	 *
	 * One part at a time: "pending" is the current part, and "acquired" belongs to the
	 * thread that completes it. If this future is completed from outside, the pending
	 * part is cancelled, and its completion refunds the acquired permits. A part that is
	 * just starting checks whether this future is done. If the last part has already
	 * ended, the thread that finds this future done refunds all permits.
	 *
	 * Attacked by SeveralLimitsTests and JointWaitTests.
	 */

	private final List<Part> parts;

	private final NanoClock clock;

	private final long since;

	private final List<Permit> acquired = new ArrayList<>();

	private volatile @Nullable CompletableFuture<Permit> pending;

	JointStoreRounds(List<Part> parts, NanoClock clock) {
		this.parts = parts;
		this.clock = clock;
		this.since = clock.nanoTime();
	}

	JointStoreRounds start() {
		round(null);
		whenComplete((permit, ex) -> {
			CompletableFuture<Permit> pending = this.pending;
			if (pending != null) {
				pending.cancel(false);
			}
		});
		return this;
	}

	/**
	 * Begins a round with the part that rejected the previous one, and waits in its line.
	 */
	private void round(@Nullable Part rejecting) {
		List<Part> order = new ArrayList<>(this.parts);
		if (rejecting != null) {
			order.remove(rejecting);
			order.add(0, rejecting);
		}
		next(order, rejecting);
	}

	private void next(List<Part> order, @Nullable Part waitedFor) {
		if (this.acquired.size() == order.size()) {
			Permit permit = JointPermit.of(this.acquired);
			if (!complete(permit)) {
				Refundable.refund(permit);
			}
			return;
		}
		Part part = order.get(this.acquired.size());
		CompletableFuture<Permit> pending = begin(part, part == waitedFor);
		this.pending = pending;
		if (isDone()) {
			pending.cancel(false);
		}
		pending.whenComplete((permit, ex) -> {
			if (permit != null) {
				this.acquired.add(permit);
				next(order, waitedFor);
			}
			else {
				rejected(part, part == waitedFor, ex);
			}
		});
	}

	/**
	 * Starts a part. A throttle that was removed in the meantime throws, which ends the
	 * call.
	 */
	private CompletableFuture<Permit> begin(Part part, boolean waiting) {
		try {
			return waiting ? part.acquire(this.since) : part.tryAcquire(this.since);
		}
		catch (RuntimeException ex) {
			return failedFuture(ex);
		}
	}

	private void rejected(Part part, boolean waitedFor, Throwable ex) {
		Throwable cause = Failures.cause(ex);
		try {
			refund();
		}
		catch (RuntimeException failure) {
			completeExceptionally(failure);
			return;
		}
		Duration waited = Duration.ofNanos(this.clock.nanoTime() - this.since);
		if (!waitedFor && !isDone() && cause instanceof ThrottledException && part.mayWait(waited)) {
			round(part);
		}
		else {
			completeExceptionally(cause);
		}
	}

	private void refund() {
		List<Permit> acquired = List.copyOf(this.acquired);
		this.acquired.clear();
		if (!acquired.isEmpty()) {
			Refundable.refund(JointPermit.of(acquired));
		}
	}

	/**
	 * Part of a joint call: either all limits in memory, acquired in one step, or one
	 * limit in a store.
	 */
	interface Part {

		/** Tries to acquire immediately, for a call that arrived at the given time. */
		CompletableFuture<Permit> tryAcquire(long since);

		/** Acquires, waiting in line, for a call that arrived at the given time. */
		CompletableFuture<Permit> acquire(long since);

		/** Returns whether the call may wait longer for this part. */
		boolean mayWait(Duration waited);

	}

}
