package dev.sluice.throttle;

import java.time.Duration;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SeveralLimitsTests {

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	private final Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());

	private final Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(2));

	private final Throttle log = this.manager.addOrUpdate("commands", Limit.slidingLog(2, Duration.ofSeconds(1)));

	private final AcquireRequest[] all = { AcquireRequest.of("commands", "k"), AcquireRequest.of("exports"),
			AcquireRequest.of("order", "7") };

	@Test
	void takesAllAndClosesAll() {
		Permit permit = this.manager.tryAcquire(this.all).permit();
		assertThat(this.mutex.state("7").used()).isEqualTo(1);
		assertThat(this.semaphore.state("").used()).isEqualTo(1);
		assertThat(this.log.state("k").used()).isEqualTo(1);

		permit.close();

		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(this.semaphore.state("").used()).isZero();
		assertThat(this.log.state("k").used()).isEqualTo(1);
	}

	@Test
	void rejectedCallConsumesNothingAnywhere() {
		this.mutex.tryAcquire("7");

		Decision decision = this.manager.tryAcquire(this.all);

		assertThat(decision.admitted()).isFalse();
		assertThat(decision.throttled().resource()).isEqualTo("order");
		assertThat(decision.retryAfter()).isNull();
		assertThat(this.semaphore.state("").used()).isZero();
		assertThat(this.log.state("k").used()).isZero();
		assertThat(this.semaphore.snapshot(0).keys()).isZero();
	}

	@Test
	void retryAfterIsTheLongestOfThoseThatReject() {
		Throttle slow = this.manager.addOrUpdate("slow", Limit.slidingLog(1, Duration.ofSeconds(5)));
		slow.tryAcquire();
		this.log.tryAcquire("k", 2);

		Decision decision = this.manager.tryAcquire(AcquireRequest.of("commands", "k"), AcquireRequest.of("slow"));

		assertThat(decision.retryAfter()).isEqualTo(Duration.ofSeconds(5));
		assertThat(decision.throttled().resource()).isEqualTo("slow");
	}

	@Test
	void sameMutexTwiceCountsOnceAndSameRateAddsUp() {
		AcquireRequest order = AcquireRequest.of("order", "7");
		AcquireRequest command = AcquireRequest.of("commands", "k");

		assertThat(this.manager.tryAcquire(order, command, command, order).admitted()).isTrue();

		assertThat(this.log.state("k").remaining()).isZero();
		assertThat(this.mutex.state("7").used()).isEqualTo(1);
		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.tryAcquire(command, command, command));
	}

	@Test
	void badRequestsAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(this.manager::tryAcquire)
			.withMessage("'requests' must not be empty");
		assertThatExceptionOfType(UnknownThrottleException.class)
			.isThrownBy(() -> this.manager.tryAcquire(AcquireRequest.of("nothing")));
		assertThatIllegalArgumentException().isThrownBy(() -> AcquireRequest.of(""));
		assertThatIllegalArgumentException().isThrownBy(() -> AcquireRequest.of("x".repeat(101)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.manager.tryAcquire(AcquireRequest.of("order").owner("a"),
					AcquireRequest.of("order").owner("b")))
			.withMessageContaining("'owner'");
	}

}
