package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Limit of a throttle between two changes, compiled to the numbers that cells compute
 * with. Immutable; a cell that was made under other terms than the throttle's is replaced
 * before it decides anything.
 */
class CompiledLimit {

	/** A cost is rounded up by less than one part of this. */
	private static final long FINEST_COST = 1_000_000;

	private static final int MOST_SHIFT = 20;

	private static final long LONGEST_REACH = 1L << 60;

	final String resource;

	final Limit limit;

	final LimitOptions options;

	final long version;

	final NanoClock clock;

	final ThrottleCounters tally;

	final int max;

	final int maxPermits;

	final long period;

	/** The windows of a fixed window, the buckets of a sliding one. */
	final Buckets buckets;

	final int bucketCount;

	/** How wide a count is while all of them share a word, and the mask of all. */
	final int bucketBits;

	final long bucketMask;

	/** Of a token bucket: fractions of a nanosecond, as so many bits. */
	final int shift;

	/** Of a token bucket: fractions of a nanosecond for one token, and for all. */
	final long cost;

	final long fill;

	/** Of a token bucket: nanoseconds that a cell can reckon with. */
	final long longestAge;

	final boolean removed;

	private @Nullable CompiledLimit scratch;

	CompiledLimit(String resource, Limit limit, LimitOptions options, NanoClock clock) {
		this(resource, limit, options, 1, clock, new ThrottleCounters(), false);
	}

	private CompiledLimit(String resource, Limit limit, LimitOptions options, long version, NanoClock clock,
			ThrottleCounters tally, boolean removed) {
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
		this.bucketCount = buckets(limit);
		this.buckets = new Buckets(Math.max(1, (this.period + this.bucketCount - 1) / this.bucketCount));
		this.bucketBits = Math.max(1, Math.min(Integer.SIZE - 1, Long.SIZE / this.bucketCount));
		this.bucketMask = -1L >>> Math.max(0, Long.SIZE - this.bucketBits * this.bucketCount);
		this.shift = shift(this.period, this.max);
		this.cost = ((this.period << this.shift) + this.max - 1) / this.max;
		this.fill = (limit instanceof Limit.TokenBucket bucket) ? this.cost * bucket.capacity() : 0;
		this.longestAge = LONGEST_REACH >> this.shift;
		this.removed = removed;
	}

	/** Compiles the limit of other terms again, to be more than they are. */
	CompiledLimit(CompiledLimit terms) {
		this(terms.resource, terms.limit, terms.options, terms.version, terms.clock, terms.tally, terms.removed);
	}

	private static int buckets(Limit limit) {
		if (limit instanceof Limit.DynamicWindow window) {
			return window.buckets();
		}
		return (limit instanceof Limit.SlidingWindow window) ? window.buckets() : 1;
	}

	/**
	 * Returns how fine a nanosecond must be cut for a token's cost to be exact enough.
	 */
	private static int shift(long period, int limit) {
		int shift = 0;
		while ((period << shift) / limit < FINEST_COST && shift < MOST_SHIFT) {
			shift++;
		}
		return shift;
	}

	/** Returns the same terms with a tally of their own, for what is only imagined. */
	final CompiledLimit scratch() {
		CompiledLimit scratch = this.scratch;
		if (scratch == null) {
			scratch = copy(new ThrottleCounters(), this.removed);
			this.scratch = scratch;
		}
		return scratch;
	}

	final CompiledLimit removed() {
		return copy(this.tally, true);
	}

	CompiledLimit copy(ThrottleCounters tally, boolean removed) {
		return new CompiledLimit(this.resource, this.limit, this.options, this.version, this.clock, tally, removed);
	}

	final CompiledLimit changed(Limit limit, LimitOptions options) {
		return new CompiledLimit(this.resource, limit, options, this.version + 1, this.clock, this.tally, false);
	}

	final boolean equalTo(Limit limit, LimitOptions options) {
		return this.limit.equals(limit) && this.options.equals(options);
	}

	final void checkPermits(int permits) {
		if (permits <= 0 || permits > this.maxPermits) {
			Checks.permits(this.resource, permits, this.maxPermits);
		}
	}

	final int maxKeys() {
		return this.options.maxKeys(this.limit);
	}

	final ThrottledException throttled(String key, long retryAfterNanos) {
		return new ThrottledException(this.resource, key, retryAfter(retryAfterNanos));
	}

	static @Nullable Duration retryAfter(long nanos) {
		return (nanos != Verdict.UNKNOWN) ? Duration.ofNanos(nanos) : null;
	}

}
