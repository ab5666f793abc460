package dev.sluice.throttle.internal.failover;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.store.StoredThrottle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalShareTests {

	private static final Duration PERIOD = Duration.ofDays(1);

	@Test
	void everyNumberThatGrantsIsDivided() {
		assertThat(LocalShare.divided(Limit.slidingLog(10, PERIOD), 4)).isEqualTo(Limit.slidingLog(2, PERIOD));
		assertThat(LocalShare.divided(Limit.fixedWindow(10, PERIOD), 4)).isEqualTo(Limit.fixedWindow(2, PERIOD));
		assertThat(LocalShare.divided(Limit.slidingWindow(10, PERIOD, 5), 4))
			.isEqualTo(Limit.slidingWindow(2, PERIOD, 5));
		assertThat(LocalShare.divided(Limit.dynamicWindow(20, 2, 10, PERIOD, 5), 4))
			.isEqualTo(Limit.dynamicWindow(5, 1, 2, PERIOD, 5));
		assertThat(LocalShare.divided(Limit.tokenBucket(20, 10, PERIOD), 4)).isEqualTo(Limit.tokenBucket(5, 2, PERIOD));
		assertThat(LocalShare.divided(Limit.semaphore(10), 4)).isEqualTo(Limit.semaphore(2));
	}

	@Test
	void atLeastOnePermitIsLeft() {
		assertThat(LocalShare.divided(Limit.slidingLog(3, PERIOD), 4)).isEqualTo(Limit.slidingLog(1, PERIOD));
		assertThat(LocalShare.divided(Limit.dynamicWindow(3, 1, 2, PERIOD, 5), 4))
			.isEqualTo(Limit.dynamicWindow(1, 1, 1, PERIOD, 5));
		assertThat(LocalShare.divided(Limit.tokenBucket(3, 2, PERIOD), 4)).isEqualTo(Limit.tokenBucket(1, 1, PERIOD));
		assertThat(LocalShare.divided(Limit.semaphore(3), 4)).isEqualTo(Limit.semaphore(1));
		assertThat(LocalShare.divided(Limit.mutex(), 4)).isEqualTo(Limit.mutex());
	}

	@Test
	void shareFollowsTheLimitAndTheNodesAndKeepsWhatWasUsed() {
		AtomicInteger nodes = new AtomicInteger(2);
		LocalShare share = new LocalShare("quotes", nodes::get);
		AcquireRequest request = AcquireRequest.of("quotes", "k");
		StoredThrottle half = share.of(Limit.slidingLog(4, PERIOD), LimitOptions.defaults());
		assertThat(half.tryAcquire(request).admitted()).isTrue();

		nodes.set(1);
		StoredThrottle whole = share.of(Limit.slidingLog(4, PERIOD), LimitOptions.defaults());
		assertThat(whole.state("k").remaining()).isEqualTo(3);

		StoredThrottle changed = share.of(Limit.slidingLog(6, PERIOD), LimitOptions.defaults());
		assertThat(changed.state("k").remaining()).isEqualTo(5);

		LimitOptions options = LimitOptions.builder().maxWaiting(7).build();
		assertThat(share.of(Limit.slidingLog(6, PERIOD), options).options().maxWaiting()).isEqualTo(7);
	}

}
