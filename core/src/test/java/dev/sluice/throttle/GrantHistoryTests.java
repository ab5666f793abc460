package dev.sluice.throttle;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.sluice.TestVolume;
import dev.sluice.test.trial.GrantHistory;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Times grants to many threads on the real clock and looks for a window with more than
 * its bound.
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
		assertThat(record(limit, TestVolume.of(grants)).excess(limit)).isLessThanOrEqualTo(0);
	}

	@Test
	void plantedOverAdmissionIsFound() throws Exception {
		for (Limit planted : new Limit[] { Limit.slidingLog(LIMIT + LIMIT / 20, PERIOD),
				Limit.fixedWindow(LIMIT + LIMIT / 20, PERIOD) }) {
			GrantHistory history = record(planted, 200_000);

			Limit stated = (planted instanceof Limit.SlidingLog) ? Limit.slidingLog(LIMIT, PERIOD)
					: Limit.fixedWindow(LIMIT, PERIOD);
			assertThat(history.excess(stated)).isPositive();
		}
	}

	private GrantHistory record(Limit limit, int grants) throws InterruptedException {
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
		return history.ended();
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

		GrantHistory ended() {
			return new GrantHistory(LongStream.of(this.before), LongStream.of(this.after), ChronoUnit.NANOS);
		}

	}

}
