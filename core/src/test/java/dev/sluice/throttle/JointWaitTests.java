package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A call that waits for several limits holds nothing, and delays nobody at a limit that
 * would admit it: in memory, in a store, and with some limits in each.
 */
class JointWaitTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final Duration HOUR = Duration.ofHours(1);

	private final SettableClock clock = new SettableClock();

	@ParameterizedTest
	@EnumSource
	void userOverAnOwnLimitDoesNotSlowASharedOne(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle global = manager.addOrUpdate("global", Limit.slidingLog(1_000, SECOND));
		manager.addOrUpdate("per user", Limit.slidingLog(1, Duration.ofSeconds(5))).tryAcquire("loud");
		CompletableFuture<Permit> waiting = manager.acquire(wait("global", ""), wait("per user", "loud"));

		for (int i = 0; i < 1_000; i++) {
			assertThat(manager.tryAcquire(AcquireRequest.of("global"), AcquireRequest.of("per user", "quiet " + i))
				.admitted()).isTrue();
		}

		assertThat(global.tryAcquire().reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(waiting).isNotDone();
		this.clock.advance(Duration.ofSeconds(5));
		assertThat(waiting).isCompleted();
		assertThat(global.state("").used()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void mutexIsFreeForOthersWhileARateIsWaitedFor(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Throttle rate = manager.addOrUpdate("commands", Limit.slidingLog(1, SECOND));
		rate.tryAcquire();
		CompletableFuture<Permit> waiting = manager.acquire(wait("order", ""), wait("commands", ""));

		for (int i = 0; i < 3; i++) {
			mutex.tryAcquire().permit().close();
		}

		this.clock.advance(SECOND);
		assertThat(waiting).isCompleted();
		assertThat(mutex.state("").used()).isEqualTo(1);
		waiting.join().close();
		assertThat(mutex.state("").used()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void callMovesOnToTheNextLimitThatRejectsIt(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle slow = manager.addOrUpdate("slow", Limit.slidingLog(1, Duration.ofSeconds(2)));
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		slow.tryAcquire();
		CompletableFuture<Permit> waiting = manager.acquire(wait("slow", ""), wait("order", ""));
		Permit held = mutex.tryAcquire().permit();

		this.clock.advance(Duration.ofSeconds(2));
		assertThat(waiting).isNotDone();
		assertThat(slow.state("").used()).isZero();
		assertThat(slow.state("").waiting()).isZero();
		assertThat(mutex.state("").waiting()).isEqualTo(1);
		slow.tryAcquire();
		held.close();
		assertThat(waiting).isNotDone();
		assertThat(mutex.state("").used()).isZero();

		this.clock.advance(Duration.ofSeconds(2));
		assertThat(waiting).isCompleted();
		assertThat(mutex.state("").used()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void callsForTheSameLimitsComeInOrderWhicheverTheyStandAt(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle first = manager.addOrUpdate("first", Limit.mutex());
		Throttle second = manager.addOrUpdate("second", Limit.mutex());
		Permit one = first.tryAcquire().permit();
		Permit two = second.tryAcquire().permit();
		List<CompletableFuture<Permit>> calls = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			this.clock.advanceNanos(1);
			calls.add((i % 2 == 0) ? manager.acquire(wait("first", ""), wait("second", ""))
					: manager.acquire(wait("second", ""), wait("first", "")));
		}

		one.close();
		assertThat(calls).noneMatch(CompletableFuture::isDone);
		two.close();

		for (CompletableFuture<Permit> call : calls) {
			assertThat(call).isCompleted();
			call.join().close();
		}
		assertThat(first.snapshot(0).waiting() + second.snapshot(0).waiting()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void timeOfTheCallEndsItWhereverItStands(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		rate.tryAcquire();
		CompletableFuture<Permit> waiting = manager.acquire(wait("rate", ""),
				AcquireRequest.of("order").maxWait(Duration.ofSeconds(3)));
		mutex.tryAcquire();

		this.clock.advance(Duration.ofSeconds(3).minusNanos(1));
		assertThat(waiting).isNotDone();
		this.clock.advanceNanos(1);

		LineTests.assertThrottled(waiting, null);
		assertThat(rate.state("").used()).isZero();
		assertThat(mutex.state("").waiting()).isZero();
		assertThat(this.clock.scheduled()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void cancelledCallLeavesTheLineThatItHasMovedTo(Where where) {
		ThrottlingManager manager = where.manager(this.clock);
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		rate.tryAcquire();
		CompletableFuture<Permit> waiting = manager.acquire(wait("rate", ""), wait("order", ""));
		Permit held = mutex.tryAcquire().permit();
		this.clock.advance(SECOND);
		CompletableFuture<Permit> behind = mutex.acquire("", 1, HOUR);

		waiting.cancel(false);
		held.close();

		assertThat(behind).isCompleted();
		assertThat(rate.state("").used()).isZero();
		assertThat(mutex.state("").waiting()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void callThatIsCancelledAsItIsGrantedGivesEverythingBack(Where where) {
		List<Runnable> completions = new ArrayList<>();
		ThrottlingManager manager = where.manager(this.clock, completions::add);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Throttle log = manager.addOrUpdate("commands", Limit.slidingLog(1, SECOND));
		Throttle other = manager.addOrUpdate("other", Limit.tokenBucket(1, 1, SECOND));
		log.tryAcquire();
		CompletableFuture<Permit> waiting = manager.acquire(wait("commands", ""), wait("other", ""), wait("order", ""));
		this.clock.advance(SECOND);

		waiting.cancel(false);
		while (!completions.isEmpty()) {
			completions.remove(0).run();
		}

		assertThat(log.state("").used()).isZero();
		assertThat(other.state("").used()).isZero();
		assertThat(mutex.state("").used()).isZero();
		assertThat(log.state("").waiting()).isZero();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void callStandsInALineByTheTimeOfItsArrival(boolean other) {
		ThrottlingManager manager = Where.MEMORY.manager(this.clock);
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1, SECOND));
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> before = mutex.acquire("", 1, HOUR);
		this.clock.advanceNanos(1);
		rate.tryAcquire();
		Throttle log = manager.addOrUpdate("log", Limit.slidingLog(1, Duration.ofMillis(10)));
		log.tryAcquire("", 1);
		before.cancel(false);
		held.close();
		CompletableFuture<Permit> joint = manager.acquire(wait("rate", ""), wait("order", ""));
		this.clock.advanceNanos(1);
		held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> later = other ? mutex.acquire("", 1, HOUR)
				: manager.acquire(wait("log", ""), wait("order", ""));

		this.clock.advance(SECOND);
		assertThat(joint).isNotDone();
		held.close();

		assertThat(joint).isCompleted();
		assertThat(later).isNotDone();
		joint.join().close();
		assertThat(later).isCompleted();
	}

	private static AcquireRequest wait(String resource, String key) {
		return AcquireRequest.of(resource, key).maxWait(HOUR);
	}

	/** Where the limits of a call are kept. */
	enum Where {

		MEMORY, STORE, RATES_IN_STORE, MUTEXES_IN_STORE;

		ThrottlingManager manager(NanoClock clock) {
			return manager(clock, Runnable::run);
		}

		ThrottlingManager manager(NanoClock clock, Executor completionExecutor) {
			ThrottlingManager.Builder builder = ThrottlingManager.builder()
				.clock(clock)
				.completionExecutor(completionExecutor);
			if (this == MEMORY) {
				return builder.build();
			}
			ThrottleStore store = ThrottleStore.inMemory(clock);
			return builder
				.store((resource, limit, options) -> (this == STORE || limit.isHeld() == (this == MUTEXES_IN_STORE))
						? store.open(resource, limit, options) : Optional.empty())
				.build();
		}

	}

}
