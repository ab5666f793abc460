package dev.sluice.throttle.internal.rate;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RefundTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final SettableClock clock = new SettableClock(Long.MAX_VALUE - 5);

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

	@Test
	void refundOfOneKeyOfADynamicWindowServesTheOthers() {
		RateThrottle shared = throttle(Limit.dynamicWindow(2, 1, 2, Duration.ofMinutes(1), 4), 10);
		shared.tryAcquire("a", 2);
		CompletableFuture<Permit> first = shared.acquire("b", 1, LONG);
		CompletableFuture<Permit> second = shared.acquire("b", 1, LONG);

		refund(shared, "a", 1);
		assertThat(first).isCompleted();
		assertThat(second).isNotDone();
		shared.forget("a");

		assertThat(second).isCompleted();
	}

	@Test
	void refundBehindALineIsForeseenForWhoComesNext() {
		RateThrottle log = throttle(Limit.slidingLog(4, Duration.ofNanos(100)), 10);
		log.tryAcquireNanos("", 2);
		this.clock.advanceNanos(50);
		log.tryAcquireNanos("", 2);
		CompletableFuture<Permit> three = log.acquire("", 3, LONG);
		assertThat(log.tryAcquireNanos("", 1)).isEqualTo(100);

		refund(log, "", 2);

		assertThat(log.tryAcquireNanos("", 1)).isEqualTo(50);
		CompletableFuture<Permit> one = log.acquire("", 1, Duration.ofNanos(50));
		this.clock.advanceNanos(50);
		assertThat(three).isCompleted();
		assertThat(one).isCompleted();
	}

	@Test
	void refundMakesRoomAtTheCapOfKeys() {
		RateThrottle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 1);
		throttle.tryAcquire("a");
		assertThat(throttle.tryAcquire("b").reason()).isEqualTo(Decision.Reason.KEY_CAP);

		throttle.forget("a");
		assertThat(throttle.tryAcquire("b").admitted()).isTrue();
		assertThat(throttle.tryAcquire("c").admitted()).isFalse();
		refund(throttle, "b", 1);

		assertThat(throttle.tryAcquire("c").admitted()).isTrue();
	}

	private RateThrottle throttle(Limit limit, int maxKeys) {
		return (RateThrottle) this.manager.addOrUpdate("rate", limit, LimitOptions.builder().maxKeys(maxKeys).build());
	}

	private void refund(RateThrottle throttle, String key, int permits) {
		RateCell cell = Objects.requireNonNull(throttle.lock(key));
		throttle.unlock(key, cell);
		throttle.refund(key, cell, permits, this.clock.nanoTime());
	}

}
