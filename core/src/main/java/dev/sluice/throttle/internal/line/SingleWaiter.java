package dev.sluice.throttle.internal.line;

/** Waiter for one limit. */
public final class SingleWaiter extends Waiter {

	private final LineOwner throttle;

	private final Place place;

	public SingleWaiter(LineOwner throttle, Place place, long since) {
		super(since);
		this.throttle = throttle;
		this.place = place;
	}

	@Override
	protected void report(Object outcome) {
		this.throttle.report(this, this.place.key, this.place.permits, outcome);
	}

	@Override
	protected void leave() {
		this.throttle.leave(this, this.place);
	}

}
