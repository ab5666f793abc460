package dev.sluice.throttle.internal.joint;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.Refundable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class JointMemoryStepTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(new SettableClock()).build();

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(2, SECOND), Limit.fixedWindow(2, SECOND), Limit.slidingWindow(2, SECOND, 4),
				Limit.tokenBucket(2, 2, SECOND), Limit.dynamicWindow(2, 1, 2, SECOND, 4));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void refundAfterTheKeyWasForgottenGivesNothingBack(Limit limit) {
		ManagedThrottle throttle = (ManagedThrottle) this.manager.addOrUpdate("rate", limit);
		Permit permit = JointMemoryStep.of(List.of(new ResourceRequest(throttle, AcquireRequest.of("rate", "k"))))
			.tryAcquire()
			.permit();

		throttle.forget("k");
		assertThat(throttle.tryAcquire("k", 2).admitted()).isTrue();
		Refundable.refund(permit);

		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
	}

}
