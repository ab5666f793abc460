package dev.sluice.throttle.internal.rate;

/** Usage of a rate limit as the input of a forecast. Guarded. */
interface RateUsage {

	/** Returns 0, or the nanoseconds from now until the permits could be taken. */
	long earliest(int permits, long now);

	/** Takes permits that are available according to {@link #earliest}. */
	void take(int permits, long now);

	/** Returns the nanoseconds until the usage no longer counts; 0 if idle. */
	long idleAfter(long now);

}
