package dev.sluice.throttle;

import java.time.Duration;
import java.time.Instant;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RateLimitTests {

	private final SettableClock clock = SettableClock.at(Instant.parse("2026-11-21T12:00:00Z"));

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	@Test
	void fixedWindowAdmitsFourAtTheEndOfAnHourAndFourAtTheBeginningOfTheNext() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.fixedWindow(4, Duration.ofHours(1)));

		this.clock.advance(Duration.ofMinutes(59));
		assertThat(throttle.tryAcquire("", 4).admitted()).isTrue();
		assertThat(throttle.tryAcquire().retryAfter()).isEqualTo(Duration.ofMinutes(1));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(throttle.tryAcquire("", 4).admitted()).isTrue();
	}

	@Test
	void slidingWindowAdmitsFourAtTheEndOfAnHourAndNoneUntilTheirBucketHasLeft() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.slidingWindow(4, Duration.ofHours(1), 3));

		this.clock.advance(Duration.ofMinutes(59));
		assertThat(throttle.tryAcquire("", 4).admitted()).isTrue();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(throttle.tryAcquire().retryAfter()).isEqualTo(Duration.ofMinutes(40));
		this.clock.advance(Duration.ofMinutes(40).minusNanos(1));
		assertThat(throttle.tryAcquire().admitted()).isFalse();
		this.clock.advanceNanos(1);
		assertThat(throttle.tryAcquire("", 4).admitted()).isTrue();
	}

	@Test
	void tokenBucketStartsFullAndIsRefilledSteadily() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.tokenBucket(20, 10, Duration.ofSeconds(1)));

		assertThat(throttle.tryAcquire("", 20).admitted()).isTrue();
		assertThat(throttle.tryAcquire("", 3).retryAfter()).isEqualTo(Duration.ofMillis(300));
		this.clock.advance(Duration.ofMillis(150));
		assertThat(throttle.tryAcquire().admitted()).isTrue();
		assertThat(throttle.tryAcquire().retryAfter()).isEqualTo(Duration.ofMillis(50));
		this.clock.advance(Duration.ofDays(1));
		assertThat(throttle.state("").remaining()).isEqualTo(20);
	}

	@ParameterizedTest
	@CsvSource({ "1,1000000000", "3,1000000000", "999999937,1000000000", "1000000000,1000000000", "7,10",
			"1000,864000000000000", "2000000000,3000000000" })
	void tokenBucketIsNeverAboveItsRateAndLessThanAMillionthBelow(int limit, long period) {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.tokenBucket(limit, limit, Duration.ofNanos(period)));
		throttle.tryAcquireNanos("", limit);

		this.clock.advanceNanos(period - 1);
		assertThat(throttle.tryAcquireNanos("", limit)).isPositive();
		this.clock.advanceNanos(2 + period / 1_000_000);
		assertThat(throttle.tryAcquireNanos("", limit)).isZero();
	}

	@Test
	void tokenBucketOutlivesTheReachOfItsMoments() {
		Throttle throttle = this.manager.addOrUpdate("rate",
				Limit.tokenBucket(1_000_000_000, 1_000_000_000, Duration.ofSeconds(1)));
		for (int i = 0; i < 40; i++) {
			throttle.tryAcquireNanos("", 1_000_000_000);
			this.clock.advance(Duration.ofMinutes(7));
			assertThat(throttle.tryAcquireNanos("", 1_000_000_000)).isZero();
			assertThat(throttle.tryAcquireNanos("", 5)).isEqualTo(5);
			this.clock.advance(Duration.ofMinutes(i));
			assertThat(throttle.state("").used()).isEqualTo((i == 0) ? 1_000_000_000 : 0);
		}
		this.clock.advance(Duration.ofDays(365 * 70));
		assertThat(throttle.tryAcquireNanos("", 1_000_000_000)).isZero();
		assertThat(throttle.tryAcquireNanos("", 1)).isEqualTo(1);
	}

	@Test
	void largestNumbersDoNotOverflow() {
		int most = Integer.MAX_VALUE;
		Throttle fixed = this.manager.addOrUpdate("fixed", Limit.fixedWindow(most, Duration.ofDays(10_000)));
		Throttle sliding = this.manager.addOrUpdate("sliding", Limit.slidingWindow(most, Duration.ofDays(10_000), 2));
		Throttle bucket = this.manager.addOrUpdate("bucket", Limit.tokenBucket(most, most, Duration.ofDays(10_000)));
		for (Throttle throttle : this.manager.throttles()) {
			assertThat(throttle.tryAcquireNanos("", most - 1)).isZero();
			assertThat(throttle.tryAcquireNanos("", 1)).isZero();
			assertThat(throttle.tryAcquireNanos("", most)).isPositive();
			assertThat(throttle.tryAcquireNanos("", 1)).isPositive();
		}
		assertThat(fixed.snapshot(1).admitted()).isEqualTo(most);
		assertThat(sliding.snapshot(1).admitted()).isEqualTo(most);
		assertThat(bucket.snapshot(1).admitted()).isEqualTo(most);
	}

	@Test
	void admittedOutlastsTheWindows() {
		this.manager.addOrUpdate("fixed", Limit.fixedWindow(4, Duration.ofSeconds(1)));
		this.manager.addOrUpdate("sliding", Limit.slidingWindow(4, Duration.ofSeconds(1), 2));
		this.manager.addOrUpdate("log", Limit.slidingLog(4, Duration.ofSeconds(1)));
		this.manager.addOrUpdate("bucket", Limit.tokenBucket(4, 4, Duration.ofSeconds(1)));
		for (Throttle throttle : this.manager.throttles()) {
			for (int i = 0; i < 3; i++) {
				throttle.tryAcquire("k", 3);
				throttle.tryAcquire("k", 3);
				this.clock.advance(Duration.ofSeconds(1));
			}
			throttle.forget("k");
			throttle.tryAcquire("k");
			ThrottleSnapshot snapshot = throttle.snapshot(1);
			assertThat(snapshot.admitted()).as(throttle.resource()).isEqualTo(10);
			assertThat(snapshot.rejected()).as(throttle.resource()).isEqualTo(3);
		}
	}

	@Test
	void impossibleLimitsAreRejectedByName() {
		Duration second = Duration.ofSeconds(1);
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingLog(0, second))
			.withMessage("'limit' must be greater than 0: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingLog(1, Duration.ZERO))
			.withMessage("'period' must be greater than 0: PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingLog(1, Duration.ofSeconds(Long.MAX_VALUE)))
			.withMessageStartingWith("'period' must be at most PT240000H: ");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingWindow(1, second, 0))
			.withMessage("'buckets' must be greater than 0: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.slidingWindow(1, Duration.ofNanos(5), 6))
			.withMessage("'buckets' must be at most 5, for a period of PT0.000000005S: 6");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.fixedWindow(5, Duration.ofNanos(5)))
			.withMessageContaining("'limit' must be less than one a nanosecond");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.tokenBucket(0, 1, second))
			.withMessage("'capacity' must be greater than 0: 0");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.tokenBucket(1, 6, Duration.ofNanos(5)))
			.withMessageContaining("'limit' must be at most one a nanosecond");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.tokenBucket(1_000_000, 1, Duration.ofDays(1)))
			.withMessageContaining("'capacity' must be refilled within");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.semaphore(-1))
			.withMessage("'limit' must be greater than 0: -1");
		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.addOrUpdate("", Limit.mutex()))
			.withMessage("'resource' must not be empty");
		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.addOrUpdate("x".repeat(101), Limit.mutex()))
			.withMessageContaining("at most 100 characters");
	}

}
