package dev.sluice.throttle;

import org.jspecify.annotations.Nullable;

/** Waiter for one limit. */
final class SingleWaiter extends Waiter {

	private final Place place;

	/** What granted the permits of a rate, and when, for a refund of just those. */
	private @Nullable RateCell grantedBy;

	private long grantedAt;

	SingleWaiter(Place place, long since) {
		super(since);
		this.place = place;
	}

	void grantedBy(RateCell cell, long now) {
		this.grantedBy = cell;
		this.grantedAt = now;
	}

	void refund(RateThrottle throttle) {
		if (this.grantedBy != null) {
			throttle.refund(this.place.key, this.grantedBy, this.place.permits, this.grantedAt);
		}
	}

	@Override
	Place place() {
		return this.place;
	}

	@Override
	boolean isJoint() {
		return false;
	}

	@Override
	void tell(Object outcome) {
		this.place.throttle.tell(this, this.place.key, this.place.permits, outcome);
	}

	@Override
	void takeBack(Permit permit) {
		this.place.throttle.takeBack(this, this.place, permit);
	}

}
