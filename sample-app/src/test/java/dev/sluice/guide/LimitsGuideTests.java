package dev.sluice.guide;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/limits.md} shows. */
class LimitsGuideTests {

	private @Nullable Duration delay;

	private boolean shipped;

	@Test
	void decidesAtOnce() {
		ThrottlingManager limits = ThrottlingManager.builder().build();
		Throttle dropbox = limits.addOrUpdate("dropbox", Limit.slidingWindow(4, Duration.ofHours(1), 3));
		Decision decision = dropbox.tryAcquire("tenant-7");
		assertThat(decision.admitted()).isTrue();
		dropbox.tryAcquire("tenant-7", 3);
		decision = dropbox.tryAcquire("tenant-7");
		if (!decision.admitted()) {
			later(decision.retryAfter());
		}
		assertThat(this.delay).isPositive();
	}

	@Test
	void waitsInLine() {
		ThrottlingManager limits = ThrottlingManager.builder().build();
		Throttle exports = limits.addOrUpdate("exports", Limit.semaphore(3));
		CompletableFuture<Permit> permit = exports.acquire("", 1, Duration.ofSeconds(5));
		assertThat(permit).succeedsWithin(Duration.ofSeconds(5));
	}

	@Test
	void holdsUntilItIsClosedOrReleased() {
		ThrottlingManager limits = ThrottlingManager.builder().build();
		Throttle order = limits.addOrUpdate("order", Limit.mutex());
		try (Permit held = order.tryAcquire("o-1").permit()) {
			ship(held.fencingToken());
		}
		limits.tryAcquire(AcquireRequest.of("order", "o-2").owner("batch-7"));
		limits.get("order").release("o-2", "batch-7");
		assertThat(this.shipped).isTrue();
		assertThat(order.snapshot(0).held()).isZero();
	}

	@Test
	void takesSeveralOrNone() {
		ThrottlingManager limits = ThrottlingManager.builder().build();
		limits.addOrUpdate("dropbox", Limit.slidingWindow(4, Duration.ofHours(1), 3));
		limits.addOrUpdate("order", Limit.mutex()).tryAcquire("o-3");
		Decision both = limits.tryAcquire(AcquireRequest.of("dropbox", "tenant-7"), AcquireRequest.of("order", "o-3"));
		assertThat(both.admitted()).isFalse();
		assertThat(limits.get("dropbox").state("tenant-7").used()).isZero();
	}

	private void later(@Nullable Duration delay) {
		this.delay = delay;
	}

	private void ship(OptionalLong token) {
		this.shipped = token.isPresent();
	}

}
