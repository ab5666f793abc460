package dev.sluice.test.trial;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import java.util.stream.LongStream;

import dev.sluice.throttle.Limit;

/**
 * Times of permits that were granted, by any node: each between two readings of the clock
 * that whoever decides goes by, too. Only what lies in a window for certain is counted
 * against it, so an excess that is found is one.
 */
public final class GrantHistory {

	private final long[] before;

	private final long[] after;

	private final ChronoUnit unit;

	/** Takes grants whose times are in microseconds. */
	public GrantHistory(Collection<Grant> grants) {
		this(grants.stream().mapToLong(Grant::before), grants.stream().mapToLong(Grant::after), ChronoUnit.MICROS);
	}

	/** Takes the times before and after each grant, in a unit. */
	public GrantHistory(LongStream before, LongStream after, ChronoUnit unit) {
		this.before = before.sorted().toArray();
		this.after = after.sorted().toArray();
		this.unit = unit;
	}

	/** Reads the clock of this machine, in microseconds since the epoch. */
	public static long now() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

	/**
	 * One permit.
	 *
	 * @param before when it was asked for
	 * @param after when it was there
	 */
	public record Grant(long before, long after) {
	}

	public int size() {
		return this.before.length;
	}

	/** Returns by how much the fullest window is above the bound of a rate. */
	public long excess(Limit limit) {
		long period = Objects.requireNonNull(limit.period()).dividedBy(this.unit.getDuration());
		if (limit instanceof Limit.SlidingLog) {
			return fullest(Arrays.stream(this.before), period) - limit.limit();
		}
		if (limit instanceof Limit.TokenBucket bucket) {
			return LongStream.of(1, period / 10, period, 7 * period)
				.map((length) -> fullest(Arrays.stream(this.before), length) - bucket.capacity()
						- length * limit.limit() / period)
				.max()
				.orElseThrow();
		}
		long bucket = (limit instanceof Limit.SlidingWindow window) ? period / window.buckets() : period;
		return fullest(Arrays.stream(this.before).map((time) -> time - Math.floorMod(time, bucket)).distinct(), period)
				- limit.limit();
	}

	/**
	 * Counts what ended before the end of a window, less what began before its start.
	 */
	private long fullest(LongStream starts, long length) {
		int[] begun = { 0 };
		int[] ended = { 0 };
		return starts.map((start) -> {
			while (begun[0] < this.before.length && this.before[begun[0]] < start) {
				begun[0]++;
			}
			while (ended[0] < this.after.length && this.after[ended[0]] < start + length) {
				ended[0]++;
			}
			return ended[0] - begun[0];
		}).max().orElse(0);
	}

}
