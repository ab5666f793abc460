package dev.sluice.throttle;

/** Waiter for one limit. */
final class SingleWaiter extends Waiter {

	private final LineOwner throttle;

	private final Place place;

	SingleWaiter(LineOwner throttle, Place place, long since) {
		super(since);
		this.throttle = throttle;
		this.place = place;
	}

	@Override
	void tell(Object outcome) {
		this.throttle.tell(this, this.place.key, this.place.permits, outcome);
	}

	@Override
	void leave() {
		this.throttle.leave(this, this.place);
	}

}
