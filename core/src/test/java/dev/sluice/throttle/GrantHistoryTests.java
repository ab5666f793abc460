package dev.sluice.throttle;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.sluice.TestVolume;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Times grants to many threads on the real clock and looks for a window with more than
 * its bound. A grant happened between the reading before the call and the one after it;
 * only what lies in a window for certain is counted against it, so what is found is true.
 */
class GrantHistoryTests {

	private static final int THREADS = 8;

	private static final int LIMIT = 2_000;

	private static final Duration PERIOD = Duration.ofMillis(1);

	static Stream<Arguments> rates() {
		return Stream.of(arguments(Limit.slidingLog(LIMIT, PERIOD), 4_000_000),
				arguments(Limit.fixedWindow(LIMIT, PERIOD), 2_000_000),
				arguments(Limit.slidingWindow(LIMIT, PERIOD, 4), 2_000_000),
				arguments(Limit.tokenBucket(LIMIT, LIMIT, PERIOD), 2_000_000));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void noWindowHasMoreThanItsBound(Limit limit, int grants) throws Exception {
		assertThat(record(limit, TestVolume.of(grants)).worstExcess(limit)).isLessThanOrEqualTo(0);
	}

	@Test
	void plantedOverAdmissionIsFound() throws Exception {
		for (Limit planted : new Limit[] { Limit.slidingLog(LIMIT + LIMIT / 20, PERIOD),
				Limit.fixedWindow(LIMIT + LIMIT / 20, PERIOD) }) {
			History history = record(planted, 200_000);

			Limit stated = (planted instanceof Limit.SlidingLog) ? Limit.slidingLog(LIMIT, PERIOD)
					: Limit.fixedWindow(LIMIT, PERIOD);
			assertThat(history.worstExcess(stated)).isPositive();
		}
	}

	private History record(Limit limit, int grants) throws InterruptedException {
		NanoClock clock = NanoClock.system();
		Throttle throttle = ThrottlingManager.builder().build().addOrUpdate("rate", limit);
		History history = new History(grants);
		CountDownLatch done = new CountDownLatch(THREADS);
		for (int i = 0; i < THREADS; i++) {
			new Thread(() -> {
				int slot = 0;
				while (slot < grants) {
					long before = clock.nanoTime();
					if (throttle.tryAcquireNanos("", 1) == 0) {
						slot = history.add(before, clock.nanoTime());
					}
				}
				done.countDown();
			}).start();
		}
		done.await();
		return history;
	}

	/** When each grant began and ended. */
	private static final class History {

		private final AtomicInteger size = new AtomicInteger();

		private final long[] before;

		private final long[] after;

		History(int grants) {
			this.before = new long[grants];
			this.after = new long[grants];
		}

		int add(long before, long after) {
			int slot = this.size.getAndIncrement();
			if (slot < this.before.length) {
				this.before[slot] = before;
				this.after[slot] = after;
			}
			return slot;
		}

		/** Returns by how much the fullest window is above its bound, for certain. */
		long worstExcess(Limit limit) {
			Arrays.sort(this.before);
			Arrays.sort(this.after);
			long period = limit.period().toNanos();
			if (limit instanceof Limit.SlidingLog) {
				return worst(LongStream.of(this.before), period) - limit.limit();
			}
			if (limit instanceof Limit.TokenBucket bucket) {
				return LongStream.of(1, period / 10, period, 7 * period)
					.map((length) -> worst(LongStream.of(this.before), length) - bucket.capacity()
							- length * limit.limit() / period)
					.max()
					.orElseThrow();
			}
			long bucket = (limit instanceof Limit.SlidingWindow window) ? period / window.buckets() : period;
			LongStream starts = LongStream.of(this.before).map((time) -> time - Math.floorMod(time, bucket)).distinct();
			return worst(starts, period) - limit.limit();
		}

		/**
		 * Both arrays are sorted: those that ended before the end less those begun before
		 * the start.
		 */
		private long worst(LongStream starts, long length) {
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

}
