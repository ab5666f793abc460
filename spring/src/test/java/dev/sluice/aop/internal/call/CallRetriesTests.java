package dev.sluice.aop.internal.call;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.Proxies;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.test.SettableClock;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.UnknownThrottleException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallRetriesTests {

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	private final Service target = new Service();

	private final Service service = Proxies.limited(this.target,
			ThrottleGate.builder(this.manager).clock(this.clock).executor(Runnable::run).build());

	@BeforeEach
	void define() {
		this.manager.addOrUpdate("mutex", Limit.mutex());
	}

	@Test
	void callIsTriedAgainAfterItsDelayAndWithoutAPlaceInLine() {
		assertThat(this.service.exclusive()).isCompletedWithValue("done");
		Permit held = mutex().tryAcquire().permit();
		CompletableFuture<String> call = this.service.exclusive();
		assertThat(mutex().state("").waiting()).isZero();
		held.close();
		this.clock.advance(Duration.ofMillis(1999));
		assertThat(call).isNotDone();
		this.clock.advance(Duration.ofMillis(1002));
		assertThat(call).isCompletedWithValue("done");
		assertThat(mutex().state("").used()).isZero();
	}

	@Test
	void callsThatWereRejectedTogetherDoNotComeBackTogether() {
		Permit held = mutex().tryAcquire().permit();
		List<CompletableFuture<String>> calls = IntStream.range(0, 100)
			.mapToObj((call) -> this.service.exclusive())
			.toList();
		held.close();
		this.clock.advance(Duration.ofMillis(2500));
		assertThat(calls).anyMatch(CompletableFuture::isDone).anyMatch((call) -> !call.isDone());
		this.clock.advance(Duration.ofMillis(501));
		assertThat(calls).allMatch(CompletableFuture::isDone);
	}

	@Test
	void callIsRejectedAfterItsLastAttempt() {
		try (Permit held = mutex().tryAcquire().permit()) {
			CompletableFuture<String> call = this.service.exclusive();
			assertThat(held).isNotNull();
			this.clock.advance(Duration.ofSeconds(2 * 2));
			assertThat(call).isNotDone();
			this.clock.advance(Duration.ofSeconds(2));
			assertThat(call.handle((value, failure) -> failure))
				.isCompletedWithValueMatching(ThrottledException.class::isInstance);
			assertThat(mutex().snapshot(0).rejected()).isEqualTo(3);
			assertThat(this.target.calls).isZero();
		}
	}

	@Test
	void callIsNotTriedAgainBeforeTheLimitSaysThatItMayBeAdmitted() {
		assertThat(this.service.often()).isCompletedWithValue("done");
		CompletableFuture<String> call = this.service.often();
		this.clock.advance(Duration.ofSeconds(59));
		assertThat(this.manager.get("often").snapshot(0).rejected()).isOne();
		this.clock.advance(Duration.ofSeconds(32));
		assertThat(call).isCompletedWithValue("done");
	}

	@Test
	void callThatIsCancelledIsNotTriedAgain() {
		try (Permit held = mutex().tryAcquire().permit()) {
			CompletableFuture<String> call = this.service.exclusive();
			assertThat(held).isNotNull();
			assertThat(call.cancel(true)).isTrue();
			this.clock.advance(Duration.ofMinutes(1));
			assertThat(mutex().snapshot(0).rejected()).isOne();
		}
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.target.calls).isZero();
		assertThat(mutex().state("").used()).isZero();
	}

	@Test
	void callFailsIfItsLimitIsGoneWhenItIsTriedAgain() {
		assertThat(this.service.often()).isCompletedWithValue("done");
		CompletableFuture<String> call = this.service.often();
		this.manager.remove("often");
		this.clock.advance(Duration.ofSeconds(90));
		assertThat(call.handle((value, failure) -> failure))
			.isCompletedWithValueMatching(UnknownThrottleException.class::isInstance);
	}

	@Test
	void callFailsIfTheExecutorRejectsItsAttempt() {
		Service rejected = Proxies.limited(new Service(),
				ThrottleGate.builder(this.manager).clock(this.clock).executor((task) -> {
					throw new RejectedExecutionException("Stopped");
				}).build());
		Permit held = mutex().tryAcquire().permit();
		CompletableFuture<String> call = rejected.exclusive();
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(call.handle((value, failure) -> failure))
			.isCompletedWithValueMatching(RejectedExecutionException.class::isInstance);
		held.close();
	}

	@Test
	void numberOfCallsThatAreToBeTriedAgainIsBounded() {
		Permit held = mutex().tryAcquire().permit();
		CallRetries retries = new CallRetries(this.clock, Runnable::run);
		CallRetryPolicy policy = new CallRetryPolicy(Duration.ofSeconds(1), 1);
		AcquireRequest[] requests = { AcquireRequest.of("mutex") };
		List<CompletableFuture<Permit>> pending = new ArrayList<>();
		for (int i = 0; i < CallRetries.LIMIT; i++) {
			pending.add(retries.acquire(this.manager, requests, policy));
		}
		assertThat(pending).noneMatch(CompletableFuture::isDone);
		assertThat(retries.acquire(this.manager, requests, policy)).isCompletedExceptionally();
		pending.get(0).cancel(false);
		assertThat(retries.acquire(this.manager, requests, policy)).isNotDone();
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(pending).allMatch(CompletableFuture::isCompletedExceptionally);
		held.close();
		assertThat(retries.acquire(this.manager, requests, policy)).isCompleted();
	}

	private Throttle mutex() {
		return this.manager.get("mutex");
	}

	static class Service {

		int calls;

		@Mutex("mutex")
		@WhenThrottled(action = Action.RETRY, delay = "2s", maxRetries = 2)
		public CompletableFuture<String> exclusive() {
			this.calls++;
			return CompletableFuture.completedFuture("done");
		}

		@Throttled(value = "often", limit = 1, period = "1m")
		@WhenThrottled(action = Action.RETRY, delay = "1s")
		public CompletableFuture<String> often() {
			return CompletableFuture.completedFuture("done");
		}

	}

}
