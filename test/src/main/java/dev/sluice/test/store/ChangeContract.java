package dev.sluice.test.store;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Limits that change and go while they are in use, and keys that come and go. */
interface ChangeContract extends StoreUnderTest {

	@ParameterizedTest
	@EnumSource
	default void changeMintsNothing(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));
		taken(throttle, "k", 3);

		assertThat(change(throttle, rate.limit(5, LONG))).isSameAs(throttle);

		assertThat(throttle.limit()).isEqualTo(rate.limit(5, LONG));
		rejected(throttle, "k", 3);
		taken(throttle, "k", 2);
		change(throttle, rate.limit(2, LONG));
		rejected(throttle, "k", 1);
		change(throttle, rate.limit(6, LONG));
		taken(throttle, "k", 1);
		rejected(throttle, "k", 1);
	}

	@ParameterizedTest
	@EnumSource
	default void whatWasUsedCountsUnderAnotherKindOfRate(Rate from) {
		for (Rate to : Rate.values()) {
			if (!keeps(to.limit(4, LONG))) {
				continue;
			}
			Throttle throttle = define(from.limit(4, LONG));
			taken(throttle, "k", 3);

			change(throttle, to.limit(4, LONG));

			rejected(throttle, "k", 2);
			taken(throttle, "k", 1);
			rejected(throttle, "k", 1);
		}
	}

	@ParameterizedTest
	@EnumSource
	default void sameDefinitionAgainChangesNothing(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));
		taken(throttle, "k", 4);
		long version = throttle.snapshot(0).version();

		change(throttle, rate.limit(4, LONG));

		rejected(throttle, "k", 1);
		assertThat(throttle.snapshot(0).version()).isEqualTo(version);
	}

	@ParameterizedTest
	@EnumSource
	default void changeIsSeenElsewhere(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		Throttle elsewhere = elsewhere(throttle);
		taken(elsewhere, "k", 2);
		rejected(elsewhere, "k", 1);

		change(throttle, rate.limit(3, LONG));

		soon(() -> assertThat(elsewhere.limit()).isEqualTo(rate.limit(3, LONG)));
		taken(elsewhere, "k", 1);
		rejected(throttle, "k", 1);
	}

	@ParameterizedTest
	@EnumSource
	default void raiseWakesTheLine(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		taken(throttle, "k", 2);
		CompletableFuture<Permit> first = throttle.acquire("k", 1, LONG.multipliedBy(9));
		stillWaiting(first);
		CompletableFuture<Permit> second = throttle.acquire("k", 2, LONG.multipliedBy(9));
		stillWaiting(second);

		change(throttle, rate.limit(3, LONG));

		granted(first);
		stillWaiting(second);
		change(throttle, rate.limit(1, LONG));
		rejected(second);
	}

	@Test
	default void loweredSemaphoreGrantsNoneUntilHoldersHaveFallenBelowIt() {
		Throttle semaphore = define(Limit.semaphore(3));
		Permit two = taken(semaphore, "k", 2);
		Permit one = taken(semaphore, "k");
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 1, LONG);
		stillWaiting(waiting);

		change(semaphore, Limit.semaphore(1));
		two.close();
		stillWaiting(waiting);
		rejected(semaphore, "k", 1);
		one.close();

		granted(waiting);
	}

	@Test
	default void raisedSemaphoreServesTheLine() {
		Throttle semaphore = define(Limit.semaphore(1));
		taken(semaphore, "k");
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 1, LONG);
		stillWaiting(waiting);

		change(semaphore, Limit.semaphore(2));

		granted(waiting);
	}

	@Test
	default void rateDoesNotBecomeHeldNorTheOtherWayRound() {
		Throttle rate = define(Limit.slidingLog(1, LONG));
		Throttle held = define(Limit.semaphore(1));

		assertThatIllegalArgumentException().isThrownBy(() -> change(rate, Limit.mutex()));
		assertThatIllegalArgumentException().isThrownBy(() -> change(held, Limit.slidingLog(1, LONG)));
	}

	@ParameterizedTest
	@EnumSource
	default void limitOfAnotherNodeIsFoundByItsName(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));

		Throttle elsewhere = otherNode().get(throttle.resource());

		assertThat(elsewhere.limit()).isEqualTo(throttle.limit());
		taken(elsewhere, "k", 2);
		rejected(throttle, "k", 1);
		assertThat(otherNode().get(throttle.resource())).isSameAs(elsewhere);
		assertThat(otherNode().find(throttle.resource() + "-none")).isEmpty();
	}

	@Test
	default void limitThatAnotherNodeHasRemovedIsFoundWhenDefinedAnew() {
		Throttle throttle = define(Limit.fixedWindow(1, LONG));
		String resource = throttle.resource();
		taken(otherNode().get(resource), "k", 1);

		node().remove(resource);

		soon(() -> assertThat(otherNode().find(resource)).isEmpty());
		define(resource, Limit.semaphore(3), LimitOptions.defaults());
		soon(() -> assertThat(otherNode().get(resource).limit()).isEqualTo(Limit.semaphore(3)));
	}

	@ParameterizedTest
	@EnumSource
	default void removalFailsTheLineAndEndsTheHandle(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));
		taken(throttle, "k", 2);
		CompletableFuture<Permit> waiting = throttle.acquire("k", 1, LONG);
		stillWaiting(waiting);

		assertThat(node().remove(throttle.resource())).isTrue();

		rejected(waiting);
		assertThatIllegalStateException().isThrownBy(() -> throttle.tryAcquire("k"));
		assertThatIllegalStateException().isThrownBy(() -> throttle.acquire("k", 1, LONG));
		assertThat(node().find(throttle.resource())).isEmpty();
		assertThat(node().remove(throttle.resource())).isFalse();
		taken(node().addOrUpdate(throttle.resource(), throttle.limit()), "k", 2);
	}

	@Test
	default void removalIsRejectedWhilePermitsAreHeld() {
		Throttle mutex = define(Limit.mutex());
		Permit permit = taken(elsewhere(mutex), "k");

		assertThatIllegalStateException().isThrownBy(() -> node().remove(mutex.resource()));
		rejected(mutex, "k", 1);
		permit.close();
		soon(() -> assertThat(mutex.state("k").used()).isZero());

		assertThat(node().remove(mutex.resource())).isTrue();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DYNAMIC_WINDOW")
	default void newKeyIsRejectedAtTheCap(Rate rate) {
		if (!boundsKeys()) {
			return;
		}
		Throttle throttle = define(rate.limit(2, LONG),
				LimitOptions.builder().maxKeys(2).atMaxKeys(AtMaxKeys.REJECT_NEW_KEYS).build());
		taken(throttle, "a");
		taken(throttle, "b");

		Decision decision = throttle.tryAcquire("c");

		assertThat(decision.admitted()).isFalse();
		assertThat(decision.reason()).isEqualTo(Decision.Reason.KEY_CAP);
		taken(throttle, "a");
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DYNAMIC_WINDOW")
	default void idleKeyMakesRoomAndABusyOneIsNeverForgotten(Rate rate) {
		if (!boundsKeys()) {
			return;
		}
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(2, PERIOD), LimitOptions.builder().maxKeys(2).build());
		taken(throttle, "idle", 2);
		time().pass(PERIOD.plus(time().tolerance()));
		taken(throttle, "busy", 2);

		taken(throttle, "new", 2);

		rejected(throttle, "busy", 2);
		assertThat(throttle.tryAcquire("newer").reason()).isEqualTo(Decision.Reason.KEY_CAP);
	}

}
