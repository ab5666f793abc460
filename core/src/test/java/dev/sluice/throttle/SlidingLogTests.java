package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SlidingLogTests {

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	private final Throttle throttle = this.manager.addOrUpdate("commands", Limit.slidingLog(3, Duration.ofSeconds(1)));

	@Test
	void admitsTheLimitAndRejectsTheNext() {
		for (int i = 0; i < 3; i++) {
			assertThat(this.throttle.tryAcquire().admitted()).isTrue();
		}

		Decision decision = this.throttle.tryAcquire();

		assertThat(decision.admitted()).isFalse();
		assertThat(decision.reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(1));
		assertThat(decision.throttled().resource()).isEqualTo("commands");
	}

	@Test
	void retryAfterIsTrueToTheNanosecond() {
		assertThat(this.throttle.tryAcquireNanos("", 1)).isZero();
		this.clock.advanceNanos(7);
		assertThat(this.throttle.tryAcquireNanos("", 2)).isZero();
		this.clock.advanceNanos(100);

		long forTwo = this.throttle.tryAcquireNanos("", 2);

		assertThat(forTwo).isEqualTo(1_000_000_000 - 100);
		this.clock.advanceNanos(forTwo - 1);
		assertThat(this.throttle.tryAcquireNanos("", 2)).isEqualTo(1);
		this.clock.advanceNanos(1);
		assertThat(this.throttle.tryAcquireNanos("", 2)).isZero();
	}

	@Test
	void loweredLimitHoldsThoughMoreWasUsedBefore() {
		this.manager.addOrUpdate("commands", Limit.slidingLog(8, Duration.ofSeconds(1)));
		assertThat(this.throttle.tryAcquireNanos("", 8)).isZero();
		this.manager.addOrUpdate("commands", Limit.slidingLog(3, Duration.ofSeconds(1)));
		this.clock.advanceNanos(1_000_000_000);

		for (int i = 0; i < 3; i++) {
			assertThat(this.throttle.tryAcquireNanos("", 1)).isZero();
		}

		assertThat(this.throttle.tryAcquireNanos("", 1)).isEqualTo(1_000_000_000);
	}

	@Test
	void keysAreLimitedApart() {
		assertThat(this.throttle.tryAcquire("a", 3).admitted()).isTrue();

		assertThat(this.throttle.tryAcquire("a").admitted()).isFalse();
		assertThat(this.throttle.tryAcquire("b", 3).admitted()).isTrue();
		assertThat(this.throttle.tryAcquire("", 3).admitted()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 4 })
	void permitsOutOfRangeAreRejected(int permits) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.throttle.tryAcquire("", permits))
			.withMessageContaining("'permits' must be")
			.withMessageContaining(String.valueOf(permits));
	}

	@Test
	void snapshotCountsWhatWasDone() {
		this.throttle.tryAcquire("a", 3);
		this.throttle.tryAcquire("a", 1);
		this.throttle.tryAcquire("b", 2);

		ThrottleSnapshot snapshot = this.throttle.snapshot(1);

		assertThat(snapshot.admitted()).isEqualTo(5);
		assertThat(snapshot.rejected()).isEqualTo(1);
		assertThat(snapshot.keys()).isEqualTo(2);
		assertThat(snapshot.hottest()).singleElement().satisfies((hottest) -> {
			assertThat(hottest.key()).isEqualTo("a");
			assertThat(hottest.used()).isEqualTo(3);
			assertThat(hottest.remaining()).isZero();
			assertThat(hottest.rejected()).isEqualTo(1);
			assertThat(hottest.retryAfter()).isEqualTo(Duration.ofSeconds(1));
		});
	}

}
