package dev.sluice.throttle.internal.joint;

import java.util.List;
import java.util.function.BiConsumer;

import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.line.Waiter;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Waiter for several limits in memory, or for one limit with refundable permits. It waits
 * in the line of one of them; {@link JointTurn} decides about the next step when it is
 * first in that line.
 */
final class JointWaiter extends Waiter implements DeferredActions.Attempt {

	/*
	 * A joint waiter holds no permits and is in one line at a time, the line of a limit
	 * that currently rejects the call. Its place in each line is by its arrival time, so
	 * a call never overtakes an earlier call for the same limits.
	 *
	 * "place" changes under the guards of both cells. A thread that ends the call from
	 * outside claims it and then reads "place"; a thread that moves it writes "place" and
	 * then checks the claim. At least one of the two removes it from the new line.
	 *
	 * Attacked by SeveralLimitsTests and JointWaitTests.
	 */

	/** All requests of the call, sorted, in memory. */
	private final List<ResourceRequest> demands;

	/** Serves this waiter when it is first in line. */
	private final BiConsumer<JointWaiter, DeferredActions> turn;

	private volatile JointPlace place;

	JointWaiter(List<ResourceRequest> demands, JointPlace place, long since,
			BiConsumer<JointWaiter, DeferredActions> turn) {
		super(since);
		this.demands = demands;
		this.place = place;
		this.turn = turn;
	}

	List<ResourceRequest> demands() {
		return this.demands;
	}

	/** Returns the current place in line. */
	JointPlace place() {
		return this.place;
	}

	/** Moves to another line. Called under the guards of both cells. */
	void place(JointPlace place) {
		this.place = place;
	}

	@Override
	public void perform(DeferredActions deferred) {
		this.turn.accept(this, deferred);
	}

	@Override
	protected void report(Object outcome) {
		for (ResourceRequest demand : this.demands) {
			((MemoryThrottle<?>) demand.throttle()).report(this, demand.request().key(), demand.request().permits(),
					outcome);
		}
	}

	@Override
	protected void leave() {
		JointPlace left;
		do {
			left = this.place;
			left.throttle.leave(this, left);
		}
		while (left != this.place);
	}

	/** Place in the line of one of several limits. */
	static final class JointPlace extends Place {

		final MemoryThrottle<?> throttle;

		JointPlace(MemoryThrottle<?> throttle, String key, int permits, @Nullable String owner, long since) {
			super(key, permits, owner, since);
			this.throttle = throttle;
		}

		/** Joint calls never share a place, as each has its own set of limits. */
		@Override
		public boolean isShared() {
			return false;
		}

	}

}
