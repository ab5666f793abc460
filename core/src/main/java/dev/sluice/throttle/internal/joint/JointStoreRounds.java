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
 * Rounds of requests of a call for several limits of which some are in a store: it
 * acquires one after another, and what it has when one rejects it is refunded before it
 * waits there.
 */
final class JointStoreRounds extends CompletableFuture<Permit> {

	/*
	 * Rounds. In each round all parts are acquired one after another, without waiting,
	 * but for the first one: that is the part which ended the round before, and the call
	 * stands in its line. A part that rejects ends the round: what was acquired in it is
	 * refunded before the call stands in that part's line. So the call holds nothing
	 * while it waits, and stands in line only where it is rejected.
	 *
	 * One part at a time: "pending" is the one that is waited for, and "acquired" belongs
	 * to whoever completes it. If this future ends from outside, the pending part is
	 * cancelled, and its end refunds what was acquired; the part that was being started
	 * meanwhile sees that this future is done. If the last part has ended by then,
	 * whoever finds this future done refunds everything.
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

	/** Begins a round with the part that rejected the one before, waiting for it. */
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

	/** A throttle that was removed meanwhile throws, and ends the call. */
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
	 * Part of a joint call: all limits in memory, acquired in one step, or one limit in a
	 * store.
	 */
	interface Part {

		/** Acquires at once or not at all, for a call that came at a time. */
		CompletableFuture<Permit> tryAcquire(long since);

		/** Acquires, standing in line for it, for a call that came at a time. */
		CompletableFuture<Permit> acquire(long since);

		/** Returns whether the call may wait for it any longer. */
		boolean mayWait(Duration waited);

	}

}
