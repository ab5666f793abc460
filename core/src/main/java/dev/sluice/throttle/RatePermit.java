package dev.sluice.throttle;

/**
 * Permits of a rate in memory that were acquired as a part of several: spent, unless the
 * rest fails.
 */
final class RatePermit extends SpentPermit implements Refundable {

	private final RateThrottle throttle;

	private final String key;

	private final RateCell takenFrom;

	private final int permits;

	private final long takenAt;

	RatePermit(RateThrottle throttle, String key, RateCell takenFrom, int permits, long takenAt) {
		this.throttle = throttle;
		this.key = key;
		this.takenFrom = takenFrom;
		this.permits = permits;
		this.takenAt = takenAt;
	}

	@Override
	public void refund() {
		this.throttle.refund(this.key, this.takenFrom, this.permits, this.takenAt);
	}

}
