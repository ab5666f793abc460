package dev.sluice.throttle.internal.rate;

/** Usage of a rate as a forecast goes on with it; guarded. */
interface RateUsage {

	/** Returns 0, or the nanoseconds from now until the permits could be taken. */
	long earliest(int permits, long now);

	/** Takes permits that {@link #earliest} has found to be there. */
	void take(int permits, long now);

	/** Returns the nanoseconds until nothing that was used counts any more; 0 if idle. */
	long idleAfter(long now);

}
