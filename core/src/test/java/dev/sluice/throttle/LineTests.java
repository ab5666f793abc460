package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class LineTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final SettableClock clock = new SettableClock(Long.MAX_VALUE - 5);

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

	private final Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex(),
			LimitOptions.builder().maxWaiting(20_000).build());

	private final Throttle log = this.manager.addOrUpdate("log", Limit.slidingLog(2, Duration.ofNanos(100)));

	@Test
	void freePermitIsThereAtOnce() {
		assertThat(this.mutex.acquire("", 1, LONG)).isCompleted();
		assertThat(this.log.acquire("", 2, LONG)).isCompleted();
	}

	@Test
	void closeHandsOverToTheNextInLine() {
		Permit permit = this.mutex.tryAcquire().permit();
		CompletableFuture<Permit> first = this.mutex.acquire("", 1, LONG);
		CompletableFuture<Permit> second = this.mutex.acquire("", 1, LONG);
		assertThat(this.mutex.tryAcquire().reason()).isEqualTo(Decision.Reason.LINE);

		permit.close();
		assertThat(first).isCompleted();
		assertThat(second).isNotDone();

		first.join().close();
		assertThat(second).isCompleted();
		second.join().close();
		assertThat(this.clock.scheduled()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 500, 20_000 })
	void waitersOfOneMutexEnterInOrderWithoutRecursion(int waiters) {
		Permit permit = this.mutex.tryAcquire().permit();
		List<Integer> entered = new ArrayList<>();
		for (int i = 0; i < waiters; i++) {
			int number = i;
			this.mutex.acquire("", 1, LONG).thenAccept((granted) -> {
				entered.add(number);
				granted.close();
			});
		}

		permit.close();

		assertThat(entered).hasSize(waiters).isSorted();
		assertThat(this.mutex.snapshot(1).held()).isZero();
	}

	@Test
	void rateServesTheLineInOrderAtTheEarliestTime() {
		this.log.tryAcquireNanos("", 2);
		CompletableFuture<Permit> two = this.log.acquire("", 2, LONG);
		CompletableFuture<Permit> one = this.log.acquire("", 1, LONG);

		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(200);
		this.clock.advanceNanos(99);
		assertThat(two).isNotDone();
		this.clock.advanceNanos(1);
		assertThat(two).isCompleted();
		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(100);
		this.clock.advanceNanos(99);
		assertThat(one).isNotDone();
		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(1);
		this.clock.advanceNanos(1);
		assertThat(one).isCompleted();
		assertThat(this.log.tryAcquireNanos("", 1)).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void waitThatCannotSufficeFailsAtOnce() {
		this.log.tryAcquireNanos("", 2);

		assertThrottled(this.log.acquire("", 1, Duration.ofNanos(99)), Duration.ofNanos(100));
		CompletableFuture<Permit> waiting = this.log.acquire("", 2, Duration.ofNanos(100));
		assertThat(waiting).isNotDone();
		assertThrottled(this.log.acquire("", 1, Duration.ofNanos(199)), Duration.ofNanos(200));
		this.clock.advanceNanos(100);
		assertThat(waiting).isCompleted();
	}

	@Test
	void waiterFailsWhenItsTimeIsOver() {
		this.mutex.tryAcquire();
		CompletableFuture<Permit> later = this.mutex.acquire("", 1, Duration.ofNanos(20));
		CompletableFuture<Permit> sooner = this.mutex.acquire("", 1, Duration.ofNanos(10));
		CompletableFuture<Permit> beforeTheOverflow = this.mutex.acquire("", 1, Duration.ofNanos(4));

		this.clock.advanceNanos(9);
		assertThrottled(beforeTheOverflow, null);
		assertThat(sooner).isNotDone();
		this.clock.advanceNanos(1);
		assertThrottled(sooner, null);
		assertThat(later).isNotDone();
		this.clock.advanceNanos(10);
		assertThrottled(later, null);
		assertThat(this.mutex.state("").waiting()).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void cancelledHeadLetsTheNextPass() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(2));
		semaphore.tryAcquire();
		CompletableFuture<Permit> two = semaphore.acquire("", 2, LONG);
		CompletableFuture<Permit> one = semaphore.acquire("", 1, LONG);
		assertThat(one).isNotDone();

		assertThat(two.cancel(false)).isTrue();

		assertThat(one).isCompleted();
		assertThat(semaphore.state("").waiting()).isZero();
	}

	@Test
	void timeOutOfTheCallersOwnLeavesTheLineToo() {
		this.mutex.tryAcquire();
		CompletableFuture<Permit> waiting = this.mutex.acquire("", 1, LONG).orTimeout(1, TimeUnit.MILLISECONDS);

		assertThat(waiting).failsWithin(Duration.ofSeconds(20));
		await().untilAsserted(() -> assertThat(this.mutex.state("").waiting()).isZero());
	}

	@Test
	void fullLineRejects() {
		this.manager.addOrUpdate("order", Limit.mutex(), LimitOptions.builder().maxWaiting(1).build());
		this.mutex.tryAcquire();
		this.mutex.acquire("", 1, LONG);

		assertThrottled(this.mutex.acquire("", 1, LONG), null);
	}

	@Test
	void grantThatLosesToACancellationPassesOn() {
		List<Runnable> completions = new ArrayList<>();
		ThrottlingManager manager = ThrottlingManager.builder()
			.clock(this.clock)
			.completionExecutor(completions::add)
			.build();
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire().permit();
		CompletableFuture<Permit> first = mutex.acquire("", 1, LONG);
		CompletableFuture<Permit> second = mutex.acquire("", 1, LONG);
		permit.close();

		assertThat(first.cancel(false)).isTrue();
		completions.remove(0).run();

		completions.remove(0).run();
		assertThat(second).isCompleted();
	}

	@Test
	void grantOfARateThatLosesToACancellationIsTakenBack() {
		List<Runnable> completions = new ArrayList<>();
		ThrottlingManager manager = ThrottlingManager.builder()
			.clock(this.clock)
			.completionExecutor(completions::add)
			.build();
		Throttle log = manager.addOrUpdate("log", Limit.slidingLog(2, Duration.ofNanos(100)));
		log.tryAcquireNanos("", 2);
		CompletableFuture<Permit> waiting = log.acquire("", 1, LONG);
		this.clock.advanceNanos(100);

		waiting.cancel(false);
		this.clock.advanceNanos(7);
		completions.remove(0).run();

		assertThat(log.tryAcquireNanos("", 2)).isZero();
		assertThat(log.snapshot(0).admitted()).isEqualTo(4);
	}

	@Test
	void whoeverLeavesTheMiddleOrTheEndOfTheLineIsMissedByNobody() {
		Permit permit = this.mutex.tryAcquire().permit();
		List<CompletableFuture<Permit>> line = Stream.generate(() -> this.mutex.acquire("", 1, LONG)).limit(4).toList();

		line.get(1).cancel(false);
		line.get(3).cancel(false);
		CompletableFuture<Permit> last = this.mutex.acquire("", 1, LONG);

		assertThat(this.mutex.state("").waiting()).isEqualTo(3);
		permit.close();
		line.get(0).join().close();
		assertThat(last).isNotDone();
		line.get(2).join().close();
		assertThat(last).isCompleted();
		assertThat(this.mutex.state("").waiting()).isZero();
	}

	@Test
	void ownerThatHasLeftTheLineStandsAtItsEndWhenItComesAgain() {
		Permit permit = this.mutex.tryAcquire().permit();
		AcquireRequest me = AcquireRequest.of("order").owner("me").maxWait(LONG);
		this.manager.acquire(me).cancel(false);
		CompletableFuture<Permit> other = this.mutex.acquire("", 1, LONG);
		CompletableFuture<Permit> again = this.manager.acquire(me);

		permit.close();

		assertThat(again).isNotDone();
		other.join().close();
		assertThat(again).isCompleted();
	}

	@Test
	void callsOfOneOwnerLeaveTheirPlaceOneByOne() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(2));
		Permit permit = semaphore.tryAcquire("", 2).permit();
		AcquireRequest me = AcquireRequest.of("exports").owner("me").maxWait(LONG);
		List<CompletableFuture<Permit>> mine = Stream.generate(() -> this.manager.acquire(me)).limit(4).toList();
		assertThat(semaphore.state("").waiting()).isEqualTo(4);
		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.acquire(me.permits(2)))
			.withMessageContaining("'permits' must be at most 1");

		mine.get(3).cancel(false);
		mine.get(1).complete(permit);
		assertThat(semaphore.state("").waiting()).isEqualTo(2);
		permit.close();

		assertThat(mine.get(0)).isCompleted();
		assertThat(mine.get(2)).isCompletedWithValueMatching((granted) -> granted != permit);
		assertThat(semaphore.state("")).satisfies((state) -> {
			assertThat(state.waiting()).isZero();
			assertThat(state.used()).isEqualTo(1);
		});
	}

	@Test
	void callThatJoinsItsOwnersPlaceHasItsOwnTime() {
		this.mutex.tryAcquire();
		AcquireRequest me = AcquireRequest.of("order").owner("me").maxWait(LONG);
		CompletableFuture<Permit> first = this.manager.acquire(me);
		CompletableFuture<Permit> joined = this.manager.acquire(me.maxWait(Duration.ofNanos(10)));

		this.clock.advanceNanos(10);

		assertThrottled(joined, null);
		assertThat(first).isNotDone();
		assertThat(this.mutex.state("").waiting()).isEqualTo(1);
	}

	@Test
	void waitWithoutAnEndNeedsNoTimer() {
		this.mutex.tryAcquire();
		this.mutex.acquire("", 1, LONG).cancel(false);

		CompletableFuture<Permit> waiting = this.mutex.acquire("", 1, Duration.ofSeconds(Long.MAX_VALUE));

		assertThat(waiting).isNotDone();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void lineHasOneTimerForAll() {
		this.mutex.tryAcquire();
		for (int nanos : new int[] { 30, 10, 20 }) {
			this.mutex.acquire("", 1, Duration.ofNanos(nanos));
			assertThat(this.clock.scheduled()).isEqualTo(1);
		}

		this.clock.advanceNanos(10);

		assertThat(this.mutex.state("").waiting()).isEqualTo(2);
		assertThat(this.clock.scheduled()).isEqualTo(1);
	}

	@Test
	void callThatWillNotWaitIsAnsweredAtOnce() {
		this.mutex.tryAcquire();

		assertThrottled(this.mutex.acquire("", 1, Duration.ZERO), null);
		assertThat(this.mutex.state("").waiting()).isZero();
	}

	@Test
	void permitsThatComeBackTogetherServeAllTheyCan() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(2));
		Permit both = semaphore.tryAcquire("", 2).permit();
		CompletableFuture<Permit> first = semaphore.acquire("", 1, LONG);
		CompletableFuture<Permit> second = semaphore.acquire("", 1, LONG);

		both.close();

		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	@Test
	void headWhoseTimeIsOverLetsTheNextPass() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(2));
		semaphore.tryAcquire();
		CompletableFuture<Permit> two = semaphore.acquire("", 2, Duration.ofNanos(10));
		CompletableFuture<Permit> one = semaphore.acquire("", 1, LONG);

		this.clock.advanceNanos(10);

		assertThrottled(two, null);
		assertThat(one).isCompleted();
	}

	@Test
	void waitOfARateThatIsOverTellsWhenToRetryAndCounts() {
		this.log.tryAcquireNanos("k", 2);
		CompletableFuture<Permit> waiting = this.log.acquire("k", 1, Duration.ofNanos(100));
		this.manager.addOrUpdate("log", Limit.slidingLog(2, Duration.ofNanos(1_000)));

		this.clock.advanceNanos(100);

		assertThrottled(waiting, Duration.ofNanos(900));
		assertThat(waiting).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(ThrottledException.class, (ex) -> assertThat(ex.key()).isEqualTo("k"));
		assertThat(this.log.snapshot(0).rejected()).isEqualTo(1);
	}

	@Test
	void newcomersWaitIsReckonedByWhoStandsInLineNow() {
		this.log.tryAcquireNanos("", 2);
		CompletableFuture<Permit> two = this.log.acquire("", 2, LONG);
		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(200);
		this.log.acquire("", 1, LONG);
		this.log.acquire("", 1, LONG);
		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(300);

		two.cancel(false);

		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(200);
	}

	@Test
	void raiseIsForeseenForWhoComesNext() {
		this.log.tryAcquireNanos("", 2);
		this.log.acquire("", 2, LONG);
		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(200);

		this.manager.addOrUpdate("log", Limit.slidingLog(3, Duration.ofNanos(100)));

		assertThat(this.log.tryAcquireNanos("", 1)).isEqualTo(100);
	}

	@Test
	void forgettingWhatAKeyHasUsedServesItsLine() {
		this.log.tryAcquireNanos("", 2);
		CompletableFuture<Permit> waiting = this.log.acquire("", 1, LONG);

		assertThat(this.log.forget("")).isTrue();

		assertThat(waiting).isCompleted();
		this.clock.advanceNanos(100);
		assertThat(this.log.forget("")).isFalse();
	}

	@Test
	void completionThatServesManyServesThemInOrderOnItsThread() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(1));
		Permit held = this.mutex.tryAcquire().permit();
		semaphore.tryAcquire();
		this.mutex.acquire("", 1, LONG).thenRun(() -> this.manager.addOrUpdate("exports", Limit.semaphore(1_000)));
		List<Integer> entered = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			int number = i;
			semaphore.acquire("", 1, LONG).thenRun(() -> entered.add(number));
		}

		held.close();

		assertThat(entered).hasSize(500).isSorted();
	}

	@Test
	void secondWaitOfOneOwnerJoinsTheFirst() {
		Permit permit = this.mutex.tryAcquire("7").permit();
		AcquireRequest request = AcquireRequest.of("order", "7").maxWait(LONG);
		CompletableFuture<Permit> first = this.manager.acquire(request.owner("me"));
		CompletableFuture<Permit> other = this.manager.acquire(request.owner("you"));
		CompletableFuture<Permit> joined = this.manager.acquire(request.owner("me"));

		permit.close();

		assertThat(first).isCompleted();
		assertThat(joined).isCompleted();
		joined.join().close();
		assertThat(other).isNotDone();
		first.join().close();
		assertThat(other).isCompleted();
	}

	@Test
	void waitsOfOneOwnerAtARateAreCallsOfTheirOwn() {
		this.log.tryAcquire("", 2);
		AcquireRequest request = AcquireRequest.of("log").owner("me").maxWait(Duration.ofNanos(250));

		CompletableFuture<Permit> first = this.manager.acquire(request);
		CompletableFuture<Permit> second = this.manager.acquire(request.permits(2));
		CompletableFuture<Permit> third = this.manager.acquire(request);
		assertThat(this.log.state("").waiting()).isEqualTo(2);
		LineTests.assertThrottled(third, Duration.ofNanos(300));
		this.clock.advanceNanos(100);
		assertThat(first).isCompleted();
		assertThat(second).isNotDone();
		this.clock.advanceNanos(100);

		assertThat(second).isCompleted();
		assertThat(this.log.state("").waiting()).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void permitsAreReleasedThoughTheClockFails() {
		AtomicBoolean failing = new AtomicBoolean();
		ThrottlingManager manager = ThrottlingManager.builder().clock(() -> {
			if (failing.get()) {
				throw new IllegalStateException("No time");
			}
			return 0;
		}).build();
		Throttle log = manager.addOrUpdate("log", Limit.slidingLog(1, LONG));
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		log.tryAcquire();
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> waiting = log.acquire("", 1, LONG);
		CompletableFuture<Permit> next = mutex.acquire("", 1, LONG);
		failing.set(true);

		assertThat(waiting.cancel(false)).isTrue();
		assertThat(log.forget("")).isTrue();
		held.close();
		assertThat(next).succeedsWithin(Duration.ofMinutes(1)).satisfies(Permit::close);
		failing.set(false);

		assertThat(log.tryAcquire().admitted()).isTrue();
		assertThat(log.state("").waiting()).isZero();
		assertThat(mutex.state("").used()).isZero();
		assertThat(mutex.tryAcquire().admitted()).isTrue();
	}

	@Test
	void waitersAreNotForgottenByAChange() {
		Throttle semaphore = this.manager.addOrUpdate("exports", Limit.semaphore(3));
		semaphore.tryAcquire("", 3);
		CompletableFuture<Permit> one = semaphore.acquire("", 1, LONG);
		AcquireRequest mine = AcquireRequest.of("exports").owner("me").permits(3).maxWait(LONG);
		CompletableFuture<Permit> three = this.manager.acquire(mine);
		CompletableFuture<Permit> threeAgain = this.manager.acquire(mine);

		this.manager.addOrUpdate("exports", Limit.semaphore(2));
		assertThrottled(three, null);
		assertThrottled(threeAgain, null);
		assertThat(semaphore.snapshot(0).rejected()).isEqualTo(2);
		assertThat(one).isNotDone();

		this.manager.addOrUpdate("exports", Limit.semaphore(4));
		assertThat(one).isCompleted();
	}

	static void assertThrottled(CompletableFuture<Permit> future, Duration retryAfter) {
		assertThat(future).isCompletedExceptionally();
		assertThat(future).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOfSatisfying(ThrottledException.class,
					(ex) -> assertThat(ex.retryAfter()).isEqualTo(retryAfter));
	}

}
