package dev.sluice.test.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the waiting line, as JUnit tests: first come, first served, and no longer
 * than allowed.
 */
interface LineContract extends StoreUnderTest {

	@ParameterizedTest
	@EnumSource
	default void freePermitIsThereAtOnce(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));

		granted(throttle.acquire("k", 3, Duration.ZERO)).close();
		granted(throttle.acquire("k", 1, LONG)).close();

		assertThat(rejected(throttle.acquire("k", 1, Duration.ZERO)).retryAfter()).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	default void rateServesItsLineInOrder(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		long end = time().endOf(PERIOD);
		taken(throttle, "k", 4);
		CompletableFuture<Permit> first = throttle.acquire("k", 4, LONG);
		until(end, () -> stillWaiting(first));
		CompletableFuture<Permit> second = elsewhere(throttle).acquire("k", 3, LONG);
		until(end, () -> stillWaiting(second));

		until(end, () -> {
			Decision newcomer = throttle.tryAcquire("k");
			assertThat(newcomer.reason()).isEqualTo(Decision.Reason.LINE);
			assertThat(newcomer.retryAfter()).isGreaterThan(PERIOD);
			assertThat(throttle.state("k").waiting()).isEqualTo(2);
		});
		time().pass(PERIOD);
		granted(first);
		until(end + PERIOD.toNanos() * 3 / 4, () -> stillWaiting(second));
		time().pass(PERIOD);
		granted(second);
		assertThat(throttle.state("k").waiting()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	default void waitThatCannotSufficeFailsAtOnce(Rate rate) {
		untilTold(() -> waitThatCannotSufficeFails(rate));
	}

	/** Returns whether it was early enough to find out. */
	private boolean waitThatCannotSufficeFails(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		long end = time().endOf(PERIOD);
		taken(throttle, "k", 4);
		long asked = time().nanoTime();
		Decision decision = throttle.tryAcquire("k", 4);
		if (time().nanoTime() - end >= 0) {
			return false;
		}
		assertThat(decision.admitted()).isFalse();
		Duration wait = Objects.requireNonNull(decision.retryAfter());
		Duration twice = time().tolerance().multipliedBy(2);
		Duration thrice = time().tolerance().multipliedBy(3);
		if (wait.compareTo(thrice) < 0) {
			return false;
		}

		CompletableFuture<Permit> tooShort = throttle.acquire("k", 4, wait.minus(twice).minusNanos(1));
		int waiting = throttle.state("k").waiting();
		if (time().nanoTime() - asked > twice.toNanos()) {
			return false;
		}
		assertThat(rejected(tooShort).retryAfter()).isGreaterThanOrEqualTo(wait.minus(twice));
		assertThat(waiting).isZero();
		CompletableFuture<Permit> longEnough = throttle.acquire("k", 4,
				wait.plus(time().tolerance().multipliedBy(100)));
		until(asked + wait.toNanos(), () -> stillWaiting(longEnough));
		CompletableFuture<Permit> later = throttle.acquire("k", 1, wait.minus(thrice));
		throttle.state("k");
		if (time().nanoTime() - asked > thrice.toNanos()) {
			return false;
		}
		rejected(later);

		time().pass(wait);
		granted(longEnough);
		return true;
	}

	@ParameterizedTest
	@EnumSource
	default void cancelledCallLeavesTheLine(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		long end = time().endOf(PERIOD);
		taken(throttle, "k", 4);
		CompletableFuture<Permit> first = throttle.acquire("k", 4, LONG);
		until(end, () -> stillWaiting(first));
		CompletableFuture<Permit> second = throttle.acquire("k", 4, LONG);
		until(end, () -> stillWaiting(second));

		until(end, () -> assertThat(first.cancel(false)).isTrue());
		time().pass(PERIOD.plus(time().tolerance()));

		granted(second);
		assertThat(throttle.state("k").waiting()).isZero();
	}

	@Test
	default void mutexIsHandedOverInOrder() {
		Throttle mutex = define(Limit.mutex());
		Throttle elsewhere = elsewhere(mutex);
		Permit permit = taken(mutex, "k");
		List<CompletableFuture<Permit>> waiting = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			waiting.add(((i % 2 == 0) ? mutex : elsewhere).acquire("k", 1, LONG));
			soon(() -> assertThat(mutex.state("k").waiting()).isEqualTo(waiting.size()));
		}

		for (CompletableFuture<Permit> next : waiting) {
			assertThat(next).isNotDone();
			assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LINE);
			permit.close();
			permit = granted(next);
		}

		permit.close();
		soon(() -> taken(mutex, "k"));
	}

	@Test
	default void firstInLineIsNotPassedByOneWhoWantsLess() {
		Throttle semaphore = define(Limit.semaphore(2));
		Permit permit = taken(semaphore, "k");
		CompletableFuture<Permit> two = semaphore.acquire("k", 2, LONG);
		stillWaiting(two);
		CompletableFuture<Permit> one = semaphore.acquire("k", 1, LONG);
		stillWaiting(one);
		rejected(semaphore, "k", 1);

		permit.close();
		Permit both = granted(two);
		stillWaiting(one);
		both.close();
		granted(one);
	}

	@Test
	default void callFailsWhenItsTimeIsOver() {
		Throttle mutex = define(Limit.mutex());
		Permit permit = taken(mutex, "k");
		CompletableFuture<Permit> longer = mutex.acquire("k", 1, LONG);
		stillWaiting(longer);
		long end = time().nanoTime() + PERIOD.toNanos();
		CompletableFuture<Permit> shorter = mutex.acquire("k", 1, PERIOD);
		time().pass(PERIOD.minus(time().tolerance().multipliedBy(2)).minusNanos(1));
		until(end, () -> assertThat(shorter).isNotDone());

		time().pass(time().tolerance().multipliedBy(2).plusNanos(1));

		rejected(shorter);
		soon(() -> assertThat(mutex.state("k").waiting()).isEqualTo(1));
		permit.close();
		granted(longer);
	}

	@Test
	default void cancelledHeadLetsTheNextPass() {
		Throttle semaphore = define(Limit.semaphore(2));
		taken(semaphore, "k");
		CompletableFuture<Permit> two = semaphore.acquire("k", 2, LONG);
		stillWaiting(two);
		CompletableFuture<Permit> one = semaphore.acquire("k", 1, LONG);
		stillWaiting(one);

		two.cancel(false);

		granted(one);
	}

	@Test
	default void fullLineRejects() {
		Throttle mutex = define(Limit.mutex(), LimitOptions.builder().maxWaiting(1).build());
		Permit permit = taken(mutex, "k");
		CompletableFuture<Permit> only = mutex.acquire("k", 1, LONG);
		stillWaiting(only);

		rejected(mutex.acquire("k", 1, LONG));

		permit.close();
		granted(only);
	}

}
