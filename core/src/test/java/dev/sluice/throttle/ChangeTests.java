package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.internal.memory.Cell;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ChangeTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final LimitOptions DRY_RUN = LimitOptions.builder().dryRun(true).build();

	private final SettableClock clock = new SettableClock(1_000_000_007);

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

	static Stream<Limit> rates(int limit) {
		return Stream.of(Limit.slidingLog(limit, SECOND), Limit.fixedWindow(limit, SECOND),
				Limit.slidingWindow(limit, SECOND, 4), Limit.slidingWindow(limit, SECOND, 5),
				Limit.dynamicWindow(limit, 1, limit, SECOND, 4), Limit.tokenBucket(limit, limit, SECOND));
	}

	static Stream<Arguments> changes() {
		List<Limit> to = rates(10).toList();
		return rates(10).flatMap((from) -> to.stream().map((limit) -> arguments(from, limit)));
	}

	@ParameterizedTest
	@MethodSource("changes")
	void changeNeverMintsPermits(Limit from, Limit to) {
		Throttle throttle = this.manager.addOrUpdate("rate", from);
		throttle.tryAcquire("k", 7);

		assertThat(this.manager.addOrUpdate("rate", to)).isSameAs(throttle);

		assertThat(throttle.limit()).isEqualTo(to);
		assertThat(throttle.state("k").used()).isEqualTo(7);
		assertThat(throttle.tryAcquire("k", 4).admitted()).isFalse();
		assertThat(throttle.tryAcquire("k", 3).admitted()).isTrue();
		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(10);
	}

	@ParameterizedTest
	@MethodSource("changes")
	void loweringAndRaisingAgainMintsNothing(Limit from, Limit to) {
		Throttle throttle = this.manager.addOrUpdate("rate", from);
		throttle.tryAcquire("k", 10);

		this.manager.addOrUpdate("rate", Limit.slidingLog(2, SECOND));
		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
		this.manager.addOrUpdate("rate", to);

		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
	}

	@Test
	void sameDefinitionAgainChangesNothing() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.tokenBucket(5, 3, SECOND));
		throttle.tryAcquireNanos("", 5);
		this.clock.advanceNanos(100);
		long wait = throttle.tryAcquireNanos("", 1);

		this.manager.addOrUpdate("rate", Limit.tokenBucket(5, 3, SECOND));

		assertThat(throttle.snapshot(0).version()).isEqualTo(1);
		assertThat(throttle.tryAcquireNanos("", 1)).isEqualTo(wait);
		this.manager.addOrUpdate("rate", Limit.tokenBucket(5, 3, SECOND), LimitOptions.builder().maxWaiting(1).build());
		assertThat(throttle.snapshot(0).version()).isEqualTo(2);
		assertThat(throttle.tryAcquireNanos("", 1)).isEqualTo(wait);
	}

	@Test
	void raiseWakesTheLineOfARate() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		throttle.tryAcquire();
		CompletableFuture<Permit> first = throttle.acquire("", 1, SECOND.multipliedBy(9));
		CompletableFuture<Permit> second = throttle.acquire("", 1, SECOND.multipliedBy(9));

		this.manager.addOrUpdate("rate", Limit.slidingLog(2, SECOND));

		assertThat(first).isCompleted();
		assertThat(second).isNotDone();
		this.clock.advance(SECOND);
		assertThat(second).isCompleted();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void loweredSemaphoreGrantsNoneUntilHoldersHaveFallenBelowIt() {
		Throttle semaphore = this.manager.addOrUpdate("held", Limit.semaphore(3));
		List<Permit> held = Stream.generate(() -> semaphore.tryAcquire().permit()).limit(3).toList();

		this.manager.addOrUpdate("held", Limit.semaphore(1));

		held.get(0).close();
		assertThat(semaphore.tryAcquire().admitted()).isFalse();
		held.get(1).close();
		assertThat(semaphore.tryAcquire().admitted()).isFalse();
		held.get(2).close();
		assertThat(semaphore.tryAcquire().admitted()).isTrue();
	}

	@Test
	void rateDoesNotBecomeHeldWhileItIsDefined() {
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));

		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.addOrUpdate("rate", Limit.mutex()))
			.withMessage("Throttle 'rate' cannot change from sliding-log to mutex while it is defined; "
					+ "remove it first");
		this.manager.remove("rate");
		assertThat(this.manager.addOrUpdate("rate", Limit.mutex()).tryAcquire().admitted()).isTrue();
	}

	@Test
	void removeFailsTheLineAndEndsTheHandle() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		throttle.tryAcquire();
		CompletableFuture<Permit> waiting = throttle.acquire("", 1, SECOND);

		assertThat(this.manager.remove("rate")).isTrue();

		assertThat(waiting).isCompletedExceptionally();
		assertThat(this.clock.scheduled()).isZero();
		assertThatIllegalStateException().isThrownBy(throttle::tryAcquire).withMessageContaining("'rate'");
		assertThatIllegalStateException().isThrownBy(() -> throttle.tryAcquireNanos("new", 1));
		assertThat(this.manager.throttles()).isEmpty();
	}

	@Test
	void removeFailsALineThatIsLookedAtMeanwhile() throws InterruptedException {
		CountDownLatch looking = new CountDownLatch(1);
		CountDownLatch looked = new CountDownLatch(1);
		Thread[] looker = new Thread[1];
		ThrottlingManager manager = ThrottlingManager.builder().clock(() -> {
			if (Thread.currentThread() == looker[0]) {
				looking.countDown();
				await(looked);
			}
			return 0;
		}).completionExecutor(Runnable::run).build();
		Throttle throttle = manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		looker[0] = new Thread(() -> throttle.state("last"));
		throttle.tryAcquire("");
		throttle.tryAcquire("last");
		CompletableFuture<Permit> first = throttle.acquire("", 1, SECOND);
		CompletableFuture<Permit> last = throttle.acquire("last", 1, SECOND);
		first.whenComplete((permit, ex) -> {
			looker[0].start();
			await(looking);
		});
		Thread remover = new Thread(() -> manager.remove("rate"));

		remover.start();
		Awaitility.await().until(() -> isAtTheGuard(remover));
		looked.countDown();
		remover.join();

		assertThat(last).isCompletedExceptionally();
	}

	private static boolean isAtTheGuard(Thread thread) {
		return Stream.of(thread.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals(Cell.class.getName())
					&& frame.getMethodName().equals("lock"));
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	static Stream<Limit> tens() {
		return rates(10);
	}

	@ParameterizedTest
	@MethodSource("tens")
	void callThatMeetsALimitLoweredMeanwhileIsHeldAgainstTheNewOne(Limit limit) {
		List<Runnable> change = new ArrayList<>();
		ThrottlingManager manager = ThrottlingManager.builder().clock(() -> {
			if (!change.isEmpty()) {
				change.remove(0).run();
			}
			return 0;
		}).build();
		Throttle throttle = manager.addOrUpdate("rate", limit);
		change.add(() -> manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND)));
		assertThatIllegalArgumentException().isThrownBy(() -> throttle.tryAcquireNanos("new", 2));
		manager.addOrUpdate("rate", limit);
		change.add(() -> manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND)));
		assertThatIllegalArgumentException().isThrownBy(() -> throttle.acquire("newer", 2, SECOND));

		assertThat(throttle.snapshot(0).admitted()).isZero();
		assertThat(throttle.snapshot(0).waiting()).isZero();
		assertThat(throttle.tryAcquire("new").admitted()).isTrue();
	}

	@Test
	void waiterIsNotLostIfItsHolderLeavesWhileTheLimitIsLowered() {
		Throttle semaphore = this.manager.addOrUpdate("held", Limit.semaphore(3));
		semaphore.tryAcquire("", 3);
		Permit held = semaphore.tryAcquire("k", 3).permit();
		CompletableFuture<Permit> first = semaphore.acquire("", 3, SECOND);
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 3, SECOND);
		first.whenComplete((permit, ex) -> held.close());

		this.manager.addOrUpdate("held", Limit.semaphore(2));

		assertThat(first).isCompletedExceptionally();
		assertThat(waiting).isCompletedExceptionally();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void waiterThatARemovalFailsMayDefineTheThrottleAnew() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		throttle.tryAcquire();
		throttle.acquire("", 1, SECOND)
			.whenComplete((permit, ex) -> this.manager.addOrUpdate("rate", Limit.slidingLog(2, SECOND)));

		this.manager.remove("rate");

		assertThat(this.manager.get("rate")).isNotSameAs(throttle);
		assertThat(this.manager.get("rate").tryAcquire("", 2).admitted()).isTrue();
	}

	@Test
	void removedThrottleIsNeitherChangedNorRemovedAgain() {
		ManagedThrottle throttle = (ManagedThrottle) this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		throttle.tryAcquire("k");

		assertThat(throttle.remove()).isTrue();

		assertThat(throttle.remove()).isFalse();
		assertThat(throttle.update(Limit.slidingLog(2, SECOND), LimitOptions.defaults())).isFalse();
		assertThat(throttle.limit()).isEqualTo(Limit.slidingLog(1, SECOND));
		assertThat(throttle.snapshot(0).keys()).isZero();
	}

	@Test
	void nothingRemainsOfALimitLoweredBelowWhatWasUsed() {
		Throttle throttle = this.manager.addOrUpdate("rate", Limit.slidingLog(3, SECOND));
		throttle.tryAcquire("", 3);

		this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));

		assertThat(throttle.state("").remaining()).isZero();
	}

	@Test
	void dryRunAdmitsNewKeysAtTheCapToo() {
		LimitOptions options = LimitOptions.builder().dryRun(true).maxKeys(1).build();
		this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND), options);
		this.manager.addOrUpdate("mutex", Limit.mutex(), options);
		for (Throttle throttle : this.manager.throttles()) {
			throttle.tryAcquire("a");

			assertThat(throttle.tryAcquire("b").admitted()).isTrue();
			assertThat(throttle.acquire("c", 1, SECOND)).isCompleted();
			assertThat(throttle.snapshot(0).rejected()).isEqualTo(2);
			assertThat(throttle.snapshot(0).keys()).isEqualTo(1);
		}
	}

	@Test
	void throttlesAreListedByName() {
		for (String name : List.of("b", "c", "a")) {
			this.manager.addOrUpdate(name, Limit.mutex());
		}

		assertThat(this.manager.throttles()).extracting(Throttle::resource).containsExactly("a", "b", "c");
	}

	@Test
	void dryRunCountsAndRejectsNothing() {
		Throttle rate = this.manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND), DRY_RUN);
		Throttle mutex = this.manager.addOrUpdate("mutex", Limit.mutex(), DRY_RUN);
		for (Throttle throttle : this.manager.throttles()) {
			assertThat(throttle.tryAcquire().admitted()).isTrue();
			assertThat(throttle.tryAcquire().admitted()).isTrue();
			assertThat(throttle.acquire("", 1, SECOND)).isCompleted();
			assertThat(throttle.snapshot(1).rejected()).isEqualTo(2);
			assertThat(throttle.snapshot(1).admitted()).isEqualTo(1);
		}
		assertThat(rate.tryAcquireNanos("", 1)).isZero();
		assertThat(this.manager.tryAcquire(AcquireRequest.of("rate"), AcquireRequest.of("mutex")).admitted()).isTrue();
		assertThat(mutex.snapshot(1).held()).isEqualTo(1);
	}

	@Test
	void turningADryRunOnLetsTheLinePass() {
		Throttle mutex = this.manager.addOrUpdate("mutex", Limit.mutex());
		mutex.tryAcquire();
		CompletableFuture<Permit> waiting = mutex.acquire("", 1, SECOND);

		this.manager.addOrUpdate("mutex", Limit.mutex(), DRY_RUN);

		assertThat(waiting).isCompleted();
	}

}
