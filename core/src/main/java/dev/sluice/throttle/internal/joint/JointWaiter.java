package dev.sluice.throttle.internal.joint;

import java.util.List;
import java.util.function.BiConsumer;

import dev.sluice.throttle.internal.line.DeferredActions;
import dev.sluice.throttle.internal.line.Place;
import dev.sluice.throttle.internal.line.Waiter;
import dev.sluice.throttle.internal.memory.MemoryThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Waiter for several limits in memory, or for one whose permits can be refunded, which
 * stands in the line of one of them; {@link JointTurn} decides what it does when it is
 * first there.
 */
final class JointWaiter extends Waiter implements DeferredActions.Attempt {

	/*
	 * It holds nothing and stands in one line at a time, that of a limit which rejects
	 * the call now. In each line it stands where it would be had it come there first, so
	 * of two calls for the same limits the later one never passes.
	 *
	 * "place" changes under the guards of both cells. Whoever ends the call from outside
	 * claims it and then reads "place"; whoever moves it writes "place" and then looks
	 * whether it was claimed: one of the two takes it out of the new line.
	 *
	 * Attacked by SeveralLimitsTests and JointWaitTests.
	 */

	/** All that the call asks for, sorted, in memory. */
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

	/** Returns where it stands in line. */
	JointPlace place() {
		return this.place;
	}

	/** Stands in another line from now on; guarded by the cells of both. */
	void place(JointPlace place) {
		this.place = place;
	}

	@Override
	public void perform(DeferredActions deferred) {
		this.turn.accept(this, deferred);
	}

	@Override
	protected void tell(Object outcome) {
		for (ResourceRequest demand : this.demands) {
			((MemoryThrottle<?>) demand.throttle()).tell(this, demand.request().key(), demand.request().permits(),
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

		/** Each call stands alone, as it asks for limits of its own. */
		@Override
		public boolean isShared() {
			return false;
		}

	}

}
