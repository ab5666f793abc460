package dev.sluice.throttle;

import java.util.List;

/**
 * Waiter for several limits, or for one whose permits can be refunded.
 */
final class JointWaiter extends Waiter {

	/*
	 * It holds nothing and stands in one line at a time, that of a limit which rejects
	 * the call now. When that limit would admit it, all are judged in one step, under the
	 * guards of all: the call takes everything, or moves to the line of the next limit
	 * that rejects it. In each line it stands where it would be had it come there first,
	 * so of two calls for the same limits the later one never passes.
	 *
	 * "place" changes under the guards of both cells. Whoever ends the call from outside
	 * claims it and then reads "place"; whoever moves it writes "place" and then looks
	 * whether it was claimed: one of the two takes it out of the new line.
	 *
	 * Attacked by SeveralLimitsTests and JointWaitTests.
	 */

	/** All that the call asks for, sorted, in memory. */
	private final List<ResourceRequest> demands;

	private volatile Place place;

	JointWaiter(List<ResourceRequest> demands, Place place, long since) {
		super(since);
		this.demands = demands;
		this.place = place;
	}

	List<ResourceRequest> demands() {
		return this.demands;
	}

	@Override
	Place place() {
		return this.place;
	}

	/** Stands in another line from now on; guarded by the cells of both. */
	void place(Place place) {
		this.place = place;
	}

	@Override
	boolean isJoint() {
		return true;
	}

	@Override
	void tell(Object outcome) {
		for (ResourceRequest demand : this.demands) {
			((MemoryThrottle<?>) demand.throttle()).tell(this, demand.request().key(), demand.request().permits(),
					outcome);
		}
	}

	@Override
	void takeBack(Permit permit) {
		Refundable.refund(permit);
	}

}
