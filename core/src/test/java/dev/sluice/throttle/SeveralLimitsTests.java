package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class SeveralLimitsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

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
	void oneRateIsTakenWithoutAnObjectOfItsOwn() {
		Decision decision = this.manager.tryAcquire(AcquireRequest.of("commands"));

		assertThat(this.manager.tryAcquire(AcquireRequest.of("commands"))).isSameAs(decision);
		assertThat(this.log.state("").used()).isEqualTo(2);
		assertThat(this.manager.tryAcquire(AcquireRequest.of("commands")).admitted()).isFalse();
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
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.manager.tryAcquire(command, command.permits(Integer.MAX_VALUE)))
			.withMessageContaining("at most 2");
	}

	@Test
	void badRequestsAreRejected() {
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

	@Test
	void waitsInOneLineAtATimeAndHasAllTogether() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofNanos(30)));
		Permit held = this.mutex.tryAcquire("7").permit();
		other.tryAcquire();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("other", ""), wait("commands", "k"),
				wait("order", "7"));
		assertThat(this.mutex.state("7").waiting()).isEqualTo(1);
		assertThat(other.state("").waiting()).isZero();

		this.log.tryAcquire("k", 2);
		held.close();
		assertThat(this.log.state("k").waiting()).isEqualTo(1);
		assertThat(this.mutex.state("7").waiting()).isZero();
		assertThat(this.log.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LINE);
		this.clock.advanceNanos(30);
		assertThat(waiting).isNotDone();
		assertThat(other.state("").used()).isZero();
		this.clock.advance(Duration.ofSeconds(1).minusNanos(30));
		assertThat(waiting).isCompleted();
		assertThat(other.state("").used()).isEqualTo(1);
		assertThat(this.mutex.state("7").used()).isEqualTo(1);
		waiting.join().close();
		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void cancelledWaitHasTakenNothingAndLeavesItsLine() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofSeconds(30)));
		other.tryAcquire();
		this.log.tryAcquire("k", 2);
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("other", ""), wait("commands", "k"),
				wait("order", "7"));
		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(other.state("").waiting()).isEqualTo(1);
		CompletableFuture<Permit> next = this.log.acquire("k", 1, Duration.ofMinutes(1));

		waiting.cancel(false);

		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(other.state("").waiting()).isZero();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(next).isCompleted();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void removalWhileWaitingEndsTheWaitAndGivesBackWhatWasTaken() {
		Throttle other = this.manager.addOrUpdate("other", Limit.mutex());
		Permit held = other.tryAcquire().permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("order", "7"), wait("other", ""),
				wait("commands", "k"));

		this.manager.remove("commands");
		held.close();

		assertThat(waiting).isCompletedExceptionally();
		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(other.state("").used()).isZero();
	}

	@Test
	void callThatIsPassedWhereItStandsInNoLineWaitsThereNext() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofSeconds(30)));
		other.tryAcquire();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("other", ""), wait("commands", "k"));

		this.clock.advance(Duration.ofSeconds(30).minusNanos(1));
		assertThat(this.log.acquire("k", 2, Duration.ofMinutes(1))).isCompleted();
		this.clock.advanceNanos(1);
		assertThat(waiting).isNotDone();
		assertThat(other.state("").waiting()).isZero();
		assertThat(other.tryAcquire().permit()).isNotNull();
		other.forget("");
		this.clock.advance(Duration.ofSeconds(1));

		assertThat(waiting).isCompleted();
	}

	@Test
	void rateThatIsLoweredBelowWhatIsWaitedForEndsTheWait() {
		Permit held = this.mutex.tryAcquire("7").permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("order", "7"), wait("commands", "k").permits(2));

		this.manager.addOrUpdate("commands", Limit.slidingLog(1, Duration.ofSeconds(1)));
		held.close();

		assertThat(waiting).isCompletedExceptionally();
		assertThat(this.mutex.state("7").used()).isZero();
		assertThat(this.log.state("k").used()).isZero();
		assertThat(this.log.state("k").waiting()).isZero();
	}

	@Test
	void dryRunAtItsKeyCapStandsInNobodysWay() {
		Throttle dry = this.manager.addOrUpdate("dry", Limit.slidingLog(1, HOUR),
				LimitOptions.builder().dryRun(true).maxKeys(1).build());
		dry.tryAcquire("other");
		this.log.tryAcquire("k", 2);

		CompletableFuture<Permit> waiting = this.manager.acquire(wait("commands", "k"), wait("dry", "new"));

		assertThat(waiting).isNotDone();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiting).isCompleted();
		assertThat(dry.snapshot(0).rejected()).isEqualTo(1);
		assertThat(this.log.tryAcquire("k").admitted()).isTrue();
	}

	@Test
	void callThatMayNotHaveARateAnyMoreFailsWhenItsTurnComes() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, HOUR));
		other.tryAcquire();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("other", ""), wait("commands", "k").permits(2));

		this.manager.addOrUpdate("commands", Limit.slidingLog(1, Duration.ofSeconds(1)));

		other.forget("");

		LineTests.assertThrottled(waiting, null);
		assertThat(other.state("").waiting()).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void capacityThatOthersTookMeanwhileIsWaitedForAgain() {
		Throttle shared = this.manager.addOrUpdate("shared", Limit.dynamicWindow(2, 1, 2, Duration.ofSeconds(1), 1));
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofMillis(10_500)));
		other.tryAcquire();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("other", ""), wait("shared", "a"));

		this.clock.advance(Duration.ofMillis(10_200));
		shared.tryAcquire("b", 2);
		this.clock.advance(Duration.ofMillis(799));
		assertThat(waiting).isNotDone();
		this.clock.advance(Duration.ofMillis(1));

		assertThat(waiting).isCompleted();
	}

	@Test
	void timeOfACallCountsOverAllItsLines() {
		Throttle other = this.manager.addOrUpdate("other", Limit.mutex());
		Permit held = this.mutex.tryAcquire("7").permit();
		Permit otherHeld = other.tryAcquire().permit();
		AcquireRequest order = AcquireRequest.of("order", "7").maxWait(Duration.ofSeconds(10));
		AcquireRequest command = AcquireRequest.of("commands", "k").maxWait(Duration.ofSeconds(10));
		CompletableFuture<Permit> mutexes = this.manager.acquire(order,
				AcquireRequest.of("other").maxWait(Duration.ofSeconds(10)));
		CompletableFuture<Permit> rate = this.manager.acquire(order, command);
		CompletableFuture<Permit> slowRate = this.manager.acquire(order, command);

		this.clock.advance(Duration.ofSeconds(6));
		held.close();
		assertThat(this.mutex.state("7").used()).isEqualTo(1);
		this.clock.advance(Duration.ofSeconds(4).minusNanos(1));
		assertThat(mutexes).isNotDone();
		this.clock.advanceNanos(1);

		LineTests.assertThrottled(mutexes, null);
		assertThat(rate).isCompleted();
		LineTests.assertThrottled(slowRate, null);
		rate.join().close();
		assertThat(this.mutex.state("7").used()).isZero();
		otherHeld.close();
		assertThat(other.state("").used()).isZero();
	}

	@Test
	void rateThatCannotComeInWhatIsLeftOfTheTimeIsNotWaitedFor() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofSeconds(5)));
		Permit held = this.mutex.tryAcquire("7").permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(
				AcquireRequest.of("order", "7").maxWait(Duration.ofSeconds(10)),
				AcquireRequest.of("other").maxWait(Duration.ofSeconds(10)));

		this.clock.advance(Duration.ofSeconds(6));
		other.tryAcquire();
		held.close();

		LineTests.assertThrottled(waiting, Duration.ofSeconds(5));
		assertThat(this.mutex.state("7").used()).isZero();
	}

	@Test
	void waitForRatesEndsWithTheShortestTimeLessWhatHasPassed() {
		Throttle other = this.manager.addOrUpdate("other", Limit.slidingLog(1, Duration.ofSeconds(1)));
		Permit held = this.mutex.tryAcquire("7").permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("order", "7"), wait("commands", "k"),
				AcquireRequest.of("other").maxWait(Duration.ofSeconds(10)));
		this.clock.advance(Duration.ofSeconds(6));
		other.tryAcquire();
		held.close();
		this.manager.addOrUpdate("other", Limit.slidingLog(1, HOUR));

		this.clock.advance(Duration.ofSeconds(4).minusNanos(1));
		assertThat(waiting).isNotDone();
		this.clock.advanceNanos(1);

		assertThat(waiting).isCompletedExceptionally();
		assertThat(this.mutex.state("7").used()).isZero();
	}

	@Test
	void sameKeyTwiceTakesTheMostPermitsAndTheLeastTime() {
		AcquireRequest one = AcquireRequest.of("exports").owner("me").maxWait(HOUR);
		AcquireRequest two = one.permits(2).maxWait(Duration.ofSeconds(5));
		Permit both = this.manager.tryAcquire(one, two).permit();
		assertThat(this.semaphore.state("").used()).isEqualTo(2);
		both.close();
		this.semaphore.tryAcquire();

		CompletableFuture<Permit> waiting = this.manager.acquire(one, two);
		this.clock.advance(Duration.ofSeconds(5));

		LineTests.assertThrottled(waiting, null);
	}

	@Test
	void rejectionCountsWhereItIsRejectedAndNowhereElse() {
		this.log.tryAcquire("k", 2);

		this.manager.tryAcquire(this.all);
		this.manager.acquire(this.all);

		assertThat(this.log.snapshot(0).rejected()).isEqualTo(2);
		assertThat(this.semaphore.snapshot(0).rejected()).isZero();
		assertThat(this.mutex.snapshot(0).rejected()).isZero();
	}

	@Test
	void dryRunAmongSeveralCountsWhatItWouldReject() {
		this.manager.addOrUpdate("commands", Limit.slidingLog(1, HOUR), LimitOptions.builder().dryRun(true).build());
		this.log.tryAcquire("k");

		assertThat(this.manager.tryAcquire(this.all).admitted()).isTrue();

		assertThat(this.log.snapshot(0).rejected()).isEqualTo(1);
		assertThat(this.log.snapshot(0).admitted()).isEqualTo(1);
	}

	@Test
	void tokenIsThatOfTheOneMutexOrSemaphore() {
		Permit one = this.manager.tryAcquire(AcquireRequest.of("order"), AcquireRequest.of("commands")).permit();
		assertThat(one.fencingToken()).hasValue(1);
		one.close();

		Permit two = this.manager.tryAcquire(AcquireRequest.of("order"), AcquireRequest.of("exports")).permit();
		assertThat(two.fencingToken()).isEmpty();
	}

	@Test
	void whoIsLeavingOneLineTakesNothingInTheNext() {
		Throttle first = this.manager.addOrUpdate("a", Limit.slidingLog(1, HOUR));
		Throttle last = this.manager.addOrUpdate("b", Limit.slidingLog(1, HOUR));
		last.tryAcquire();
		CompletableFuture<Permit> leaving = this.manager.acquire(wait("a", ""), wait("b", ""));
		CompletableFuture<Permit> behind = last.acquire("", 1, HOUR.multipliedBy(2));
		CompletableFuture<Boolean> forgotten = first.acquire("", 1, HOUR.multipliedBy(2))
			.thenApply((permit) -> last.forget(""));

		leaving.cancel(false);

		assertThat(forgotten).isCompletedWithValue(true);
		assertThat(behind).isCompleted();
		assertThat(last.state("").used()).isEqualTo(1);
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void waitThatJustSufficesIsGranted() {
		Throttle other = this.manager.addOrUpdate("other", Limit.fixedWindow(1, Duration.ofSeconds(1)));
		this.log.tryAcquire("k", 2);
		other.tryAcquire();

		CompletableFuture<Permit> waiting = this.manager.acquire(
				AcquireRequest.of("commands", "k").maxWait(Duration.ofSeconds(1)),
				AcquireRequest.of("other").maxWait(Duration.ofSeconds(1)));
		this.clock.advance(Duration.ofSeconds(1));

		assertThat(waiting).isCompleted();
	}

	@Test
	void waitThatCannotSufficeConsumesNothing() {
		this.log.tryAcquire("k", 2);

		CompletableFuture<Permit> failed = this.manager.acquire(AcquireRequest.of("order", "7").maxWait(HOUR),
				AcquireRequest.of("commands", "k").maxWait(Duration.ofMillis(999)));

		LineTests.assertThrottled(failed, Duration.ofSeconds(1));
		assertThat(this.mutex.state("7").used()).isZero();
	}

	@Test
	void longLineForSeveralRatesIsServedWithoutRecursion() {
		Limit limit = Limit.fixedWindow(1, Duration.ofMinutes(1));
		LimitOptions options = LimitOptions.builder().maxWaiting(20_000).build();
		this.manager.addOrUpdate("a", limit, options).tryAcquire();
		this.manager.addOrUpdate("b", limit, options).tryAcquire();
		List<Integer> served = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			int number = i;
			this.manager
				.acquire(AcquireRequest.of("b").maxWait(Duration.ofDays(30)),
						AcquireRequest.of("a").maxWait(Duration.ofDays(30)))
				.thenRun(() -> served.add(number));
		}

		this.manager.addOrUpdate("a", Limit.fixedWindow(100_000, Duration.ofMinutes(1)), options);
		assertThat(served).isEmpty();
		this.manager.addOrUpdate("b", Limit.fixedWindow(100_000, Duration.ofMinutes(1)), options);

		assertThat(served).hasSize(10_000).isSorted();
	}

	private static AcquireRequest wait(String resource, String key) {
		return AcquireRequest.of(resource, key).maxWait(HOUR);
	}

}
