package dev.sluice.throttle.internal.memory;

import java.time.Duration;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.LimitType;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.Verdict;
import dev.sluice.throttle.internal.argument.Checks;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Limit of a throttle between two changes, compiled to the numbers that cells compute
 * with. Immutable; a cell that was made under other terms than the throttle's is replaced
 * before it decides anything.
 */
public class CompiledLimit {

	/** Ticks of a token at least, so that rounding them up is off by a millionth. */
	private static final long MIN_TOKEN_TICKS = 1_000_000;

	private static final int MAX_TICK_SHIFT = 20;

	private static final long MAX_TICKS = 1L << 60;

	public final String resource;

	public final Limit limit;

	public final LimitType type;

	public final LimitOptions options;

	public final long version;

	public final NanoClock clock;

	public final ThrottleCounters tally;

	public final int max;

	public final int maxPermits;

	public final long period;

	/** The windows of a fixed window, the buckets of a sliding one. */
	public final Buckets buckets;

	public final int bucketCount;

	/** How wide a count is while all of them share a word, and the mask of all. */
	public final int bucketBits;

	public final long bucketMask;

	/** Of a token bucket: a nanosecond has {@code 1 << tickShift} ticks. */
	public final int tickShift;

	/** Of a token bucket: the ticks in which one token flows in. */
	public final long tokenTicks;

	/** Of a token bucket: the ticks in which an empty bucket fills up. */
	public final long fillTicks;

	/** Of a token bucket: the age up to which a cell can count in ticks. */
	public final long maxAgeNanos;

	public final boolean removed;

	private @Nullable CompiledLimit scratch;

	public CompiledLimit(String resource, Limit limit, LimitOptions options, NanoClock clock) {
		this(resource, limit, options, 1, clock, new ThrottleCounters(), false);
	}

	private CompiledLimit(String resource, Limit limit, LimitOptions options, long version, NanoClock clock,
			ThrottleCounters tally, boolean removed) {
		this.resource = resource;
		this.limit = limit;
		this.type = LimitType.of(limit);
		this.options = options;
		this.version = version;
		this.clock = clock;
		this.tally = tally;
		this.max = limit.limit();
		this.maxPermits = limit.maxPermits();
		Duration period = limit.period();
		this.period = (period != null) ? period.toNanos() : 0;
		this.bucketCount = limit.buckets();
		this.buckets = new Buckets(Math.max(1, (this.period + this.bucketCount - 1) / this.bucketCount));
		this.bucketBits = Math.max(1, Math.min(Integer.SIZE - 1, Long.SIZE / this.bucketCount));
		this.bucketMask = -1L >>> Math.max(0, Long.SIZE - this.bucketBits * this.bucketCount);
		this.tickShift = tickShift(this.period, this.max);
		this.tokenTicks = ((this.period << this.tickShift) + this.max - 1) / this.max;
		this.fillTicks = this.tokenTicks * limit.capacity();
		this.maxAgeNanos = MAX_TICKS >> this.tickShift;
		this.removed = removed;
	}

	/** Copies other terms, for a subclass with additional state. */
	protected CompiledLimit(CompiledLimit terms) {
		this(terms.resource, terms.limit, terms.options, terms.version, terms.clock, terms.tally, terms.removed);
	}

	private static int tickShift(long period, int limit) {
		int shift = 0;
		while ((period << shift) / limit < MIN_TOKEN_TICKS && shift < MAX_TICK_SHIFT) {
			shift++;
		}
		return shift;
	}

	/** Returns the same terms with a separate tally, for forecasts. */
	public final CompiledLimit scratch() {
		CompiledLimit scratch = this.scratch;
		if (scratch == null) {
			scratch = copy(new ThrottleCounters(), this.removed);
			this.scratch = scratch;
		}
		return scratch;
	}

	public final CompiledLimit removed() {
		return copy(this.tally, true);
	}

	protected CompiledLimit copy(ThrottleCounters tally, boolean removed) {
		return new CompiledLimit(this.resource, this.limit, this.options, this.version, this.clock, tally, removed);
	}

	public final CompiledLimit changed(Limit limit, LimitOptions options) {
		return new CompiledLimit(this.resource, limit, options, this.version + 1, this.clock, this.tally, false);
	}

	public final boolean equalTo(Limit limit, LimitOptions options) {
		return this.limit.equals(limit) && this.options.equals(options);
	}

	public final void checkPermits(int permits) {
		if (permits <= 0 || permits > this.maxPermits) {
			Checks.permits(this.resource, permits, this.maxPermits);
		}
	}

	public final int maxKeys() {
		return this.options.maxKeys(this.limit);
	}

	public final ThrottledException throttled(String key, long retryAfterNanos) {
		return new ThrottledException(this.resource, key, retryAfter(retryAfterNanos));
	}

	private static @Nullable Duration retryAfter(long nanos) {
		return (nanos != Verdict.UNKNOWN) ? Duration.ofNanos(nanos) : null;
	}

}
