package dev.sluice.test.store;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Contract of rate limits, as JUnit tests. */
interface RateContract extends StoreUnderTest {

	@ParameterizedTest
	@EnumSource
	default void grantsItsLimitAndNoMore(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));

		for (int i = 0; i < 4; i++) {
			taken(throttle, "k").close();
		}

		Decision fifth = throttle.tryAcquire("k");
		assertThat(fifth.admitted()).isFalse();
		assertThat(fifth.reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(fifth.retryAfter()).isPositive();
		assertThat(throttle.tryAcquireNanos("k", 1)).isPositive();
		assertThatIllegalStateException().isThrownBy(fifth::permit);
	}

	@ParameterizedTest
	@EnumSource
	default void grantsSeveralPermitsAllOrNone(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));

		taken(throttle, "k", 3);
		rejected(throttle, "k", 2);
		rejected(throttle, "k", 4);

		assertThat(throttle.tryAcquireNanos("k", 1)).isZero();
		rejected(throttle, "k", 1);
	}

	@Test
	default void slidingLogGrantsNoCallMorePermitsThanItRecordsAtOnce() {
		Throttle log = define(Limit.slidingLog(1_000_000_000, LONG));
		int max = log.limit().maxPermits();

		for (int permits : new int[] { max + 1, 1_000_000_000 }) {
			AcquireRequest request = AcquireRequest.of(log.resource(), "k").permits(permits).maxWait(LONG);
			assertThatIllegalArgumentException().isThrownBy(() -> log.tryAcquire("k", permits));
			assertThatIllegalArgumentException().isThrownBy(() -> log.tryAcquireNanos("k", permits));
			assertThatIllegalArgumentException().isThrownBy(() -> log.acquire("k", permits, LONG));
			assertThatIllegalArgumentException().isThrownBy(() -> node().tryAcquire(request));
			assertThatIllegalArgumentException().isThrownBy(() -> node().acquire(request));
		}
		AcquireRequest half = AcquireRequest.of(log.resource(), "k").permits(max / 2 + 1);
		assertThatIllegalArgumentException().isThrownBy(() -> node().tryAcquire(half, half));

		assertThat(log.state("k").used()).isZero();
		taken(log, "k", max);
		KeyState state = log.state("k");
		assertThat(state.used()).isEqualTo(max);
		assertThat(state.limit()).isEqualTo(1_000_000_000);
		assertThat(max).isEqualTo(10_000);
	}

	@ParameterizedTest
	@EnumSource
	default void grantsAgainAfterThePeriod(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		taken(throttle, "k", 4);

		time().pass(PERIOD.plus(time().tolerance()));

		long end = time().endOf(PERIOD);
		taken(throttle, "k", 4);
		until(end, () -> rejected(throttle, "k", 4));
	}

	@ParameterizedTest
	@EnumSource
	default void tellsTheEarliestTimeToRetry(Rate rate) {
		for (int permits : new int[] { 1, 3, 4 }) {
			untilTold(() -> tellsTheEarliestTimeToRetry(rate, permits));
		}
	}

	/** Returns whether it was early enough to find out. */
	private boolean tellsTheEarliestTimeToRetry(Rate rate, int permits) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		taken(throttle, "k", 2);
		time().pass(PERIOD.dividedBy(3));
		long asked;
		long none;
		do {
			asked = time().nanoTime();
			none = throttle.tryAcquireNanos("k", 1);
		}
		while (none == 0);
		long askedAgain = time().nanoTime();
		Decision decision = throttle.tryAcquire("k", permits);
		if (time().nanoTime() - asked >= none) {
			return false;
		}
		assertThat(decision.admitted()).isFalse();
		Duration retryAfter = Objects.requireNonNull(decision.retryAfter());
		assertThat(retryAfter).isPositive().isLessThanOrEqualTo(PERIOD);

		Duration early = retryAfter.minus(time().tolerance()).minusNanos(1);
		if (!early.isNegative()) {
			time().pass(early);
			boolean admitted = throttle.tryAcquire("k", permits).admitted();
			if (time().nanoTime() - askedAgain >= retryAfter.toNanos()) {
				return false;
			}
			assertThat(admitted).as("%s permits of %s, %s before there are", permits, throttle, time().tolerance())
				.isFalse();
		}
		time().pass(time().tolerance().multipliedBy(2).plusNanos(1));
		taken(throttle, "k", permits);
		return true;
	}

	@ParameterizedTest
	@EnumSource
	default void noWindowHasMoreThanItsBound(Rate rate) {
		time().align(PERIOD);
		Throttle throttle = define(rate.limit(4, PERIOD));
		Grants grants = new Grants(time().tolerance());

		for (int i = 0; i < 90; i++) {
			long before = time().nanoTime();
			while (throttle.tryAcquireNanos("k", 1) == 0) {
				grants.add(before, time().nanoTime());
				before = time().nanoTime();
			}
			time().pass(PERIOD.dividedBy(30).plusNanos(7));
		}

		assertThat(grants.excess(rate, 4, PERIOD)).isLessThanOrEqualTo(0);
		assertThat(grants.size()).isGreaterThanOrEqualTo(2 * 4);
	}

	@ParameterizedTest
	@EnumSource
	default void grantsExactlyItsLimitToManyThreads(Rate rate) throws Exception {
		Throttle throttle = define(
				(rate != Rate.TOKEN_BUCKET) ? rate.limit(200, LONG) : Limit.tokenBucket(200, 1, LONG));
		Throttle elsewhere = elsewhere(throttle);

		long granted = Crowd.count(8, (number) -> {
			Throttle mine = (number % 2 == 0) ? throttle : elsewhere;
			return Stream.generate(() -> mine.tryAcquireNanos("k", 1)).limit(60).filter((wait) -> wait == 0).count();
		});

		assertThat(granted).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DYNAMIC_WINDOW")
	default void keysDoNotMeet(Rate rate) {
		Throttle throttle = define(rate.limit(2, LONG));

		for (String key : new String[] { "", "a", "a:b", "{a}", "ä \u0000" }) {
			taken(throttle, key, 2);
			rejected(throttle, key, 1);
		}
	}

	@ParameterizedTest
	@EnumSource
	default void limitsDoNotMeet(Rate rate) {
		Throttle one = define(rate.limit(2, LONG));
		Throttle other = define(rate.limit(2, LONG));

		taken(one, "k", 2);

		taken(other, "k", 2);
	}

	@Test
	default void tokenBucketKeepsNoMoreThanItsCapacity() {
		Throttle throttle = define(Limit.tokenBucket(2, 4, PERIOD));

		time().pass(PERIOD);

		long end = time().nanoTime() + PERIOD.dividedBy(2).toNanos();
		taken(throttle, "k", 2);
		until(end, () -> rejected(throttle, "k", 2));
		until(end, () -> assertThat(throttle.tryAcquire("k", 2).retryAfter()).isLessThanOrEqualTo(PERIOD.dividedBy(2)));
	}

	@Test
	default void capacityIsSharedOutAmongActiveKeys() {
		Throttle throttle = define(Limit.dynamicWindow(20, 2, 20, LONG, Rate.BUCKETS));

		taken(throttle, "a", 1);
		assertThat(throttle.state("a").limit()).isEqualTo(20);
		taken(throttle, "b", 1);
		taken(throttle, "c", 1);
		taken(throttle, "a", 6);
		rejected(throttle, "a", 1);
		taken(throttle, "c", 5);
		rejected(throttle, "c", 1);
		taken(throttle, "b", 6);
		rejected(throttle, "d", 1);
	}

	@Test
	default void keyTooManyIsRejectedUntilAnotherFallsIdle() {
		time().align(PERIOD);
		Throttle throttle = define(Limit.dynamicWindow(4, 2, 4, PERIOD, Rate.BUCKETS));
		long end = time().endOf(PERIOD);
		taken(throttle, "a", 1);
		taken(throttle, "b", 1);
		until(end, () -> rejected(throttle, "c", 1));

		time().pass(PERIOD.plus(time().tolerance()));

		taken(throttle, "c", 1);
	}

	@ParameterizedTest
	@EnumSource
	default void showsWhatAKeyHasUsed(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));
		assertThat(throttle.state("k").used()).isZero();
		assertThat(throttle.state("k").retryAfter()).isZero();

		taken(throttle, "k", 3);
		rejected(throttle, "k", 2);

		KeyState state = throttle.state("k");
		assertThat(state.key()).isEqualTo("k");
		assertThat(state.limit()).isEqualTo(4);
		assertThat(state.used()).isEqualTo(3);
		assertThat(state.remaining()).isEqualTo(1);
		assertThat(state.waiting()).isZero();
		assertThat(state.resetAfter()).isPositive().isLessThanOrEqualTo(LONG);
		assertThat(state.oldestHolder()).isEmpty();
		taken(throttle, "k", 1);
		assertThat(throttle.state("k").retryAfter()).isPositive();
	}

	@ParameterizedTest
	@EnumSource
	default void countsAndListsItsHottestKeys(Rate rate) {
		Throttle throttle = define(rate.limit(6, LONG));
		taken(throttle, "cool", 1);
		taken(throttle, "hot", 3);
		rejected(throttle, "hot", 5);

		var snapshot = throttle.snapshot(1);

		assertThat(snapshot.resource()).isEqualTo(throttle.resource());
		assertThat(snapshot.limit()).isEqualTo(throttle.limit());
		assertThat(snapshot.admitted()).isEqualTo(4);
		assertThat(snapshot.rejected()).isEqualTo(1);
		assertThat(snapshot.held()).isZero();
		assertThat(snapshot.hottest()).singleElement().satisfies((state) -> {
			assertThat(state.key()).isEqualTo("hot");
			assertThat(state.used()).isEqualTo(3);
		});
	}

	@ParameterizedTest
	@EnumSource
	default void forgetsAKey(Rate rate) {
		Throttle throttle = define(rate.limit(4, LONG));
		assertThat(throttle.forget("k")).isFalse();
		taken(throttle, "k", 4);

		assertThat(throttle.forget("k")).isTrue();

		taken(throttle, "k", 4);
		rejected(throttle, "k", 1);
		assertThat(throttle.release("k", "anybody")).isFalse();
	}

	@ParameterizedTest
	@EnumSource
	default void dryRunCountsAndRejectsNothing(Rate rate) {
		Throttle throttle = define(rate.limit(1, LONG), LimitOptions.builder().dryRun(true).build());

		taken(throttle, "k");
		taken(throttle, "k");
		assertThat(throttle.tryAcquireNanos("k", 1)).isZero();
		granted(throttle.acquire("k", 1, LONG));

		assertThat(throttle.snapshot(0).admitted()).isEqualTo(1);
		assertThat(throttle.snapshot(0).rejected()).isEqualTo(3);
	}

}
