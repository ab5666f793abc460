package dev.sluice.throttle;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Compares each rate with a model too simple to be wrong, over random calls and times.
 */
class RateOracleTests {

	private static final long[] STARTS = { 0, 1_763_700_000_123_456_789L, -5, Long.MIN_VALUE / 3,
			Long.MAX_VALUE - 2_000 };

	static Stream<Arguments> rates() {
		return Stream.of(log(1, 1), log(1, 100), log(7, 100), log(100, 1000), log(33, 10),
				// windows
				fixed(1, 2), fixed(1, 100), fixed(7, 100), fixed(99, 100), sliding(1, 10, 1), sliding(4, 90, 3),
				sliding(50, 100, 7), sliding(1000, 100, 5), sliding(20, 100, 40), sliding(1000, 160, 16),
				sliding(9, 5, 5),
				// buckets
				bucket(1, 1, 100), bucket(10, 3, 100), bucket(5, 1, 1), bucket(7, 7, 10), bucket(1000, 999, 1000));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void decidesAsTheModelDoes(Limit limit, Supplier<Model> models) {
		Random random = new Random(limit.hashCode());
		for (int round = 0; round < 20; round++) {
			long start = STARTS[round % (limit instanceof Limit.FixedWindow ? 4 : STARTS.length)];
			if (limit instanceof Limit.SlidingWindow && start > Long.MAX_VALUE / 2) {
				start = 77;
			}
			follow(limit, models.get(), new SettableClock(start), random);
		}
	}

	private void follow(Limit limit, Model model, SettableClock clock, Random random) {
		Throttle throttle = ThrottlingManager.builder().clock(clock).build().addOrUpdate("rate", limit);
		long period = limit.period().toNanos();
		for (int i = 0; i < 300; i++) {
			int permits = random.nextInt(4) > 0 ? 1 : 1 + random.nextInt(limit.maxPermits());
			long wait = throttle.tryAcquireNanos("", permits);
			if (wait == 0) {
				model.take(clock.nanoTime(), permits);
			}
			else if (wait > model.slack()) {
				assertThat(model.fits(clock.nanoTime(), permits)).as("%s, call %s at %s", limit, i, clock).isFalse();
			}
			if (wait > 0 && random.nextBoolean()) {
				assertThat(wait).isLessThanOrEqualTo(model.longestWait(limit));
				clock.advanceNanos(wait - 1);
				assertThat(throttle.tryAcquireNanos("", permits)).isEqualTo(1);
				clock.advanceNanos(1);
				assertThat(throttle.tryAcquireNanos("", permits)).isZero();
				model.take(clock.nanoTime(), permits);
			}
			else if (random.nextInt(3) == 0) {
				clock.advanceNanos(
						random.nextInt(20) == 0 ? random.nextLong(3 * period) : random.nextLong(period / 4 + 2));
			}
			assertThat(throttle.state("").used()).isBetween(model.used(clock.nanoTime()),
					model.used(clock.nanoTime()) + model.slack());
		}
	}

	private static Arguments log(int limit, long period) {
		return arguments(Limit.slidingLog(limit, Duration.ofNanos(period)), (Supplier<Model>) () -> new Model() {

			private final List<Long> grants = new ArrayList<>();

			@Override
			public boolean fits(long now, int permits) {
				return used(now) + permits <= limit;
			}

			@Override
			public void grant(long now) {
				this.grants.add(now);
			}

			@Override
			public int used(long now) {
				return (int) this.grants.stream().filter((grant) -> now - grant < period).count();
			}
		});
	}

	private static Arguments fixed(int limit, long period) {
		return arguments(Limit.fixedWindow(limit, Duration.ofNanos(period)),
				(Supplier<Model>) () -> new Windows(limit, period, 1));
	}

	private static Arguments sliding(int limit, long period, int buckets) {
		return arguments(Limit.slidingWindow(limit, Duration.ofNanos(period), buckets),
				(Supplier<Model>) () -> new Windows(limit, (period + buckets - 1) / buckets, buckets));
	}

	private static Arguments bucket(int capacity, int limit, long period) {
		return arguments(Limit.tokenBucket(capacity, limit, Duration.ofNanos(period)),
				(Supplier<Model>) () -> new Bucket(capacity, limit, period));
	}

	private interface Model {

		boolean fits(long now, int permits);

		void grant(long now);

		default void take(long now, int permits) {
			assertThat(fits(now, permits)).isTrue();
			for (int i = 0; i < permits; i++) {
				grant(now);
			}
		}

		int used(long now);

		default int slack() {
			return 0;
		}

		default long longestWait(Limit limit) {
			return limit.period().toNanos() + limit.maxPermits();
		}

	}

	/** Counts grants by the number of the bucket they fell into. */
	private static final class Windows implements Model {

		private final List<Long> grants = new ArrayList<>();

		private final int limit;

		private final long length;

		private final int buckets;

		Windows(int limit, long length, int buckets) {
			this.limit = limit;
			this.length = length;
			this.buckets = buckets;
		}

		@Override
		public boolean fits(long now, int permits) {
			return used(now) + permits <= this.limit;
		}

		@Override
		public void grant(long now) {
			this.grants.add(Math.floorDiv(now, this.length));
		}

		@Override
		public int used(long now) {
			long bucket = Math.floorDiv(now, this.length);
			return (int) this.grants.stream().filter((grant) -> grant > bucket - this.buckets).count();
		}

	}

	/** Counts in exact fractions: tokens times the period. */
	private static final class Bucket implements Model {

		private final BigInteger full;

		private final BigInteger period;

		private final int limit;

		private BigInteger level;

		private long last;

		private boolean started;

		Bucket(int capacity, int limit, long period) {
			this.period = BigInteger.valueOf(period);
			this.full = BigInteger.valueOf(capacity).multiply(this.period);
			this.level = this.full;
			this.limit = limit;
		}

		private void fill(long now) {
			if (this.started) {
				this.level = this.level
					.add(BigInteger.valueOf(now - this.last).multiply(BigInteger.valueOf(this.limit)))
					.min(this.full);
			}
			this.started = true;
			this.last = now;
		}

		@Override
		public boolean fits(long now, int permits) {
			fill(now);
			return this.level.compareTo(this.period.multiply(BigInteger.valueOf(permits))) >= 0;
		}

		@Override
		public void grant(long now) {
			this.level = this.level.subtract(this.period);
		}

		@Override
		public int used(long now) {
			fill(now);
			return this.full.subtract(this.level)
				.add(this.period)
				.subtract(BigInteger.ONE)
				.divide(this.period)
				.intValue();
		}

		/** The cost of a token is rounded up, by less than a millionth. */
		@Override
		public int slack() {
			return 1;
		}

		@Override
		public long longestWait(Limit limit) {
			return this.full.divide(BigInteger.valueOf(this.limit)).longValue() + 1;
		}

	}

}
