package dev.sluice.throttle;

/** A call in line that waits for one limit. */
final class SingleWaiter extends Waiter {

	private final Place place;

	/** When a rate granted the permits, for a refund that takes back just those. */
	long grantedAt;

	SingleWaiter(Place place, long since) {
		super(since);
		this.place = place;
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
