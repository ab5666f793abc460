package dev.sluice.throttle.internal.joint;

import dev.sluice.throttle.internal.joint.JointWaiter.JointPlace;
import dev.sluice.throttle.internal.line.DeferredActions;

/**
 * Turn of a call that waits for several limits in memory and is first in the line of one
 * of them. The call takes the permits of all limits in one step, or moves to the line of
 * the next limit that rejects it.
 */
final class JointTurn {

	/*
	 * At limits where it is not in line, a call overtakes the waiters that arrived later.
	 * It therefore never moves to a line at whose head it would be admitted, and the
	 * moves end. The evaluation and all changes, including the move, happen under the
	 * guards of all limits (see GuardedCells), so that the call is always in exactly one
	 * line.
	 *
	 * Attacked by SeveralLimitsTests and JointWaitTests.
	 */

	private final JointWaiter waiter;

	private final DeferredActions deferred;

	private final GuardedCells cells;

	private JointTurn(JointWaiter waiter, DeferredActions deferred) {
		this.waiter = waiter;
		this.deferred = deferred;
		this.cells = new GuardedCells(waiter.demands());
	}

	/** Serves a waiter that the limit of its current line would admit. */
	static void serve(JointWaiter waiter, DeferredActions deferred) {
		new JointTurn(waiter, deferred).serve();
	}

	private void serve() {
		try {
			this.cells.guarded(() -> {
				JointPlace place = this.waiter.place();
				CellRequest<?> here = this.cells.requests()
					.stream()
					.filter((request) -> request.isFor(place))
					.findFirst()
					.orElseThrow();
				if (!this.waiter.isSettled() && here.mayServe(place)) {
					serve(place, here);
				}
				return this.waiter;
			});
		}
		catch (RuntimeException ex) {
			fail(ex);
		}
	}

	private void serve(JointPlace place, CellRequest<?> here) {
		this.cells.evaluate((request) -> request.evaluate(this.waiter.since, place));
		CellRequest<?> furthest = this.cells.longest(CellRequest::rejects);
		CellRequest<?> rejecting = this.cells
			.longest((request) -> request != here && request.rejects() && !request.mayWait(this.waiter.since));
		if (furthest == null) {
			if (this.waiter.claim()) {
				here.leave(place);
				this.deferred.settle(this.waiter, takeOrFail());
			}
		}
		else if (rejecting != null) {
			if (this.waiter.claim()) {
				here.leave(place);
				rejecting.count();
				this.deferred.settle(this.waiter, rejecting.rejection().throttled());
			}
		}
		else if (furthest != here) {
			here.leave(place);
			this.waiter.place(furthest.place(this.waiter.since));
			furthest.stand(this.waiter, this.deferred);
		}
		// other calls of the owner may wait for permits that it now holds
		this.cells.requests().forEach((request) -> request.serve(this.deferred));
	}

	private Object takeOrFail() {
		try {
			return this.cells.take();
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	/**
	 * Fails a call for a throttle that was removed, or for more permits than a changed
	 * limit has.
	 */
	private void fail(RuntimeException ex) {
		if (this.waiter.claim()) {
			CellRequest<?> beyond = this.cells.requests()
				.stream()
				.filter(CellRequest::isBeyond)
				.findFirst()
				.orElse(null);
			this.deferred.settle(this.waiter, (beyond != null) ? beyond.throttled() : ex);
			this.waiter.leave();
		}
	}

}
