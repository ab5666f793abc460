package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.Objects;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.joint.JointWaiter.JointPlace;
import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Line;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Request to one cell in memory, which is evaluated, granted or added to the line under
 * the cell's guard.
 */
final class CellRequest<C extends Cell> {

	final MemoryThrottle<C> throttle;

	private final AcquireRequest request;

	private final String key;

	private final int permits;

	private @Nullable C cell;

	private long now;

	long verdict;

	/** Whether permits were taken, or a rejection was counted. */
	private boolean decided;

	CellRequest(MemoryThrottle<C> throttle, AcquireRequest request) {
		this.throttle = throttle;
		this.request = request;
		this.key = request.key();
		this.permits = request.permits();
	}

	void lock() {
		this.decided = false;
		this.cell = this.throttle.lock(this.key);
	}

	void unlock() {
		if (this.cell != null) {
			this.throttle.unlock(this.key, this.cell);
		}
	}

	boolean isFor(JointPlace place) {
		return place.throttle == this.throttle && place.key.equals(this.key);
	}

	/**
	 * Evaluates the request, which may exceed the maximum of a changed limit.
	 */
	void evaluate() {
		this.throttle.checkPermits(this.permits);
		this.now = this.throttle.clock.nanoTime();
		this.verdict = (this.cell != null)
				? this.throttle.evaluate(this.cell, this.permits, this.request.owner(), this.now)
				: Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
	}

	/**
	 * Evaluates the request of a call that arrived at the given time and overtakes later
	 * arrivals.
	 */
	void evaluate(long since, @Nullable Place own) {
		Line line = (this.cell != null) ? this.cell.existingLine() : null;
		Place head = (line != null) ? line.head() : null;
		if (head == null || (head != own && since - head.since >= 0) || isHeldByOwner()) {
			evaluate();
			return;
		}
		this.throttle.checkPermits(this.permits);
		this.now = this.throttle.clock.nanoTime();
		long wait = this.throttle.untilServed(Objects.requireNonNull(this.cell), this.permits, this.now);
		this.verdict = (wait == 0) ? Verdict.ADMITTED : Verdict.limit(wait);
	}

	/** Returns whether the request exceeds the current maximum of the limit. */
	boolean isBeyond() {
		return this.permits > this.throttle.terms.maxPermits;
	}

	ThrottledException throttled() {
		return this.throttle.terms.throttled(this.key, Verdict.UNKNOWN);
	}

	/** Returns whether the request is rejected. Always false in a dry run. */
	boolean rejects() {
		return this.verdict != Verdict.ADMITTED && !this.throttle.options().dryRun();
	}

	void count() {
		this.decided = true;
		this.throttle.count(this.cell);
	}

	void report() {
		if (this.decided) {
			this.throttle.report(this.key, this.permits, this.verdict);
		}
	}

	Decision rejection() {
		return Decision.rejected(Verdict.reason(this.verdict), this.request.resource(), this.key,
				Verdict.waitNanos(this.verdict));
	}

	/**
	 * Returns whether a call that arrived at the given time may wait here as long as
	 * needed.
	 */
	boolean mayWait(long since) {
		Duration waited = Duration.ofNanos(Math.max(0, this.now - since));
		Duration maxWait = this.request.maxWait();
		Duration left = (maxWait.compareTo(waited) > 0) ? maxWait.minus(waited) : Duration.ZERO;
		return this.cell != null && this.throttle.mayWait(this.cell, Verdict.waitNanos(this.verdict), left);
	}

	Permit take() {
		if (this.cell == null || this.verdict != Verdict.ADMITTED) {
			count();
			return Permit.spent();
		}
		this.decided = true;
		return this.throttle.takeRefundable(this.cell, this.key, this.permits, this.request.owner(), this.now);
	}

	JointPlace place(long since) {
		return new JointPlace(this.throttle, this.key, this.permits, this.throttle.ownerOf(this.request), since);
	}

	/** Adds a waiter to the line at its place. */
	void stand(JointWaiter waiter, DeferredActions deferred) {
		C cell = Objects.requireNonNull(this.cell);
		waiter.limitWait(this.request.maxWait());
		cell.line().add(waiter.place(), waiter);
		if (waiter.isSettled()) {
			leave(waiter.place());
		}
		serve(deferred);
	}

	void leave(Place place) {
		Objects.requireNonNull(this.cell).line().remove(place);
	}

	void serve(DeferredActions deferred) {
		if (this.cell != null) {
			this.throttle.serve(this.cell, this.key, this.throttle.clock.nanoTime(), deferred);
		}
	}

	/**
	 * Returns whether a place in line can be served: it is the first, or its owner holds
	 * permits.
	 */
	boolean mayServe(Place place) {
		Line line = (this.cell != null) ? this.cell.existingLine() : null;
		return line != null && (line.head() == place || isHeldByOwner());
	}

	/**
	 * Returns whether the call's owner already holds permits, which the call then shares.
	 */
	private boolean isHeldByOwner() {
		return this.cell != null && this.throttle.isHeldBy(this.cell, this.request.owner());
	}

}
