package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a throttle between two changes: its limit in the numbers that cells
 * compute with. Immutable; a cell that was made under other terms than the throttle's is
 * replaced before it decides anything.
 */
final class Terms {

	final String resource;

	final Limit limit;

	final LimitOptions options;

	final long version;

	final NanoClock clock;

	final Tally tally;

	final int max;

	final int maxPermits;

	final long period;

	final boolean removed;

	Terms(String resource, Limit limit, LimitOptions options, NanoClock clock) {
		this(resource, limit, options, 1, clock, new Tally(), false);
	}

	private Terms(String resource, Limit limit, LimitOptions options, long version, NanoClock clock, Tally tally,
			boolean removed) {
		this.resource = resource;
		this.limit = limit;
		this.options = options;
		this.version = version;
		this.clock = clock;
		this.tally = tally;
		this.max = limit.limit();
		this.maxPermits = limit.maxPermits();
		Duration period = limit.period();
		this.period = (period != null) ? period.toNanos() : 0;
		this.removed = removed;
	}

	Terms changed(Limit limit, LimitOptions options) {
		return new Terms(this.resource, limit, options, this.version + 1, this.clock, this.tally, false);
	}

	Terms removed() {
		return new Terms(this.resource, this.limit, this.options, this.version, this.clock, this.tally, true);
	}

	boolean equalTo(Limit limit, LimitOptions options) {
		return this.limit.equals(limit) && this.options.equals(options);
	}

	void checkPermits(int permits) {
		if (permits <= 0 || permits > this.maxPermits) {
			Checks.permits(this.resource, permits, this.maxPermits);
		}
	}

	int maxKeys() {
		return this.options.maxKeys(this.limit);
	}

	ThrottledException throttled(String key, long retryAfterNanos) {
		return new ThrottledException(this.resource, key, retryAfter(retryAfterNanos));
	}

	static @Nullable Duration retryAfter(long nanos) {
		return (nanos != Decision.UNKNOWN) ? Duration.ofNanos(nanos) : null;
	}

}
