package dev.sluice.throttle;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyTests {

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder().clock(this.clock).build();

	static Stream<Limit> rates() {
		Duration second = Duration.ofSeconds(1);
		return Stream.of(Limit.slidingLog(3, second), Limit.fixedWindow(3, second), Limit.slidingWindow(3, second, 4),
				Limit.tokenBucket(3, 3, second));
	}

	static Stream<Limit> allRates() {
		return Stream.concat(rates(), Stream.of(Limit.dynamicWindow(3, 1, 3, Duration.ofSeconds(1), 4)));
	}

	private Throttle throttle(Limit limit, int maxKeys, AtMaxKeys atMaxKeys) {
		return this.manager.addOrUpdate("keyed", limit,
				LimitOptions.builder().maxKeys(maxKeys).atMaxKeys(atMaxKeys).build());
	}

	@ParameterizedTest
	@MethodSource("rates")
	void newKeyIsRejectedWhileAllAreBusyAndAdmittedWhenOneIsIdle(Limit limit) {
		Throttle throttle = throttle(limit, 2, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a", 3);
		throttle.tryAcquire("b", 3);

		Decision decision = throttle.tryAcquire("c");
		assertThat(decision.reason()).isEqualTo(Decision.Reason.KEY_CAP);
		this.clock.advance(decision.retryAfter().minusNanos(1));
		assertThat(throttle.tryAcquire("c").admitted()).isFalse();
		this.clock.advanceNanos(1);
		assertThat(throttle.tryAcquire("c").admitted()).isTrue();
		assertThat(throttle.snapshot(5)).satisfies((snapshot) -> {
			assertThat(snapshot.keys()).isLessThanOrEqualTo(2);
			assertThat(snapshot.admitted()).isEqualTo(7);
			assertThat(snapshot.rejected()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@MethodSource("rates")
	void newcomerWhoIsHeldUpUntilAKeyIsIdleIsAdmitted(Limit limit) {
		AtomicLong now = new AtomicLong();
		AtomicLong delay = new AtomicLong();
		Throttle throttle = ThrottlingManager.builder()
			.clock(() -> now.getAndAdd(delay.getAndSet(0)))
			.build()
			.addOrUpdate("keyed", limit, LimitOptions.builder().maxKeys(1).build());
		throttle.tryAcquire("a", 3);

		delay.set(Duration.ofSeconds(2).toNanos());
		assertThat(throttle.tryAcquire("b").admitted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void busyKeyIsNeverForgotten(Limit limit) {
		Throttle throttle = throttle(limit, 10, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("busy", 3);

		for (int i = 0; i < 1_000; i++) {
			throttle.tryAcquire("attack-" + i, 1);
		}

		assertThat(throttle.tryAcquire("busy").reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(throttle.snapshot(0).keys()).isEqualTo(10);
	}

	@ParameterizedTest
	@MethodSource("allRates")
	void newKeysAreAdmittedAtTheCapAsOftenAsAllOthersFallIdle(Limit limit) {
		Throttle throttle = throttle(limit, 100, AtMaxKeys.EVICT_IDLE);
		for (int round = 0; round < 4; round++) {
			this.clock.advance(Duration.ofMillis(2_500));
			for (int i = 0; i < 100; i++) {
				assertThat(throttle.tryAcquire("round " + round + " key " + i)).extracting(Decision::reason)
					.isNotEqualTo(Decision.Reason.KEY_CAP);
			}
			Decision decision = throttle.tryAcquire("one too many");
			assertThat(decision.admitted()).isFalse();
			assertThat(decision.retryAfter()).isLessThanOrEqualTo(Duration.ofSeconds(1));
		}
	}

	@ParameterizedTest
	@MethodSource("rates")
	void newcomersFindTheOneIdleKeyAmongManyThatAreInUse(Limit limit) {
		Throttle throttle = throttle(limit, 1_000, AtMaxKeys.EVICT_IDLE);
		for (int i = 0; i < 1_000; i++) {
			throttle.tryAcquire("k" + i);
		}
		assertThat(throttle.tryAcquire("new").reason()).isEqualTo(Decision.Reason.KEY_CAP);
		for (int used = 0; used < 10; used++) {
			this.clock.advance(Duration.ofMillis(100));
			for (int i = 0; i < 1_000; i++) {
				if (i != 777) {
					throttle.tryAcquire("k" + i);
				}
			}
		}
		this.clock.advance(Duration.ofMillis(250));

		assertThat(throttle.tryAcquire("new").admitted()).isTrue();
		assertThat(throttle.tryAcquire("newer").reason()).isEqualTo(Decision.Reason.KEY_CAP);
	}

	@ParameterizedTest
	@MethodSource("rates")
	void newcomersAreToldTheTimeWhenTheFirstKeyWillBeIdleThoughKeysWereUsedMeanwhile(Limit limit) {
		Throttle throttle = throttle(limit, 2, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a");
		throttle.tryAcquire("b");
		throttle.tryAcquire("c");
		this.clock.advance(Duration.ofMillis(200));
		throttle.tryAcquire("a");
		throttle.tryAcquire("b");

		Duration retryAfter = throttle.tryAcquire("c").retryAfter();

		this.clock.advance(retryAfter.minusNanos(1));
		assertThat(throttle.tryAcquire("c").admitted()).isFalse();
		this.clock.advanceNanos(1);
		assertThat(throttle.tryAcquire("c").admitted()).isTrue();
	}

	@Test
	void keyWhoseLastWaiterHasLeftMakesRoomAtTheCap() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 1, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a");
		CompletableFuture<Permit> first = throttle.acquire("a", 1, Duration.ofMinutes(1));
		CompletableFuture<Permit> second = throttle.acquire("a", 1, Duration.ofMinutes(1));
		assertThat(throttle.tryAcquire("b").retryAfter()).isEqualTo(Duration.ofSeconds(3));

		first.cancel(false);
		second.cancel(false);
		assertThat(throttle.tryAcquire("b").retryAfter()).isEqualTo(Duration.ofSeconds(1));
		this.clock.advance(Duration.ofSeconds(1));

		assertThat(throttle.tryAcquire("b").admitted()).isTrue();
	}

	@Test
	void newcomersToKeysThatLeaveInTheirOwnTimeAreToldWhenOneIsIdle() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofMinutes(1)), 2, AtMaxKeys.REJECT_NEW_KEYS);
		throttle.tryAcquire("a");
		throttle.tryAcquire("b");

		Duration retryAfter = throttle.tryAcquire("c").retryAfter();
		assertThat(retryAfter).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
		this.clock.advance(retryAfter);

		assertThat(throttle.tryAcquire("c").admitted()).isTrue();
	}

	@Test
	void newKeyIsRejectedUntilAnIdleOneHasLeft() {
		Throttle throttle = throttle(Limit.fixedWindow(3, Duration.ofMillis(10)), 2, AtMaxKeys.REJECT_NEW_KEYS);
		throttle.tryAcquire("a");
		throttle.tryAcquire("b");

		this.clock.advance(Duration.ofMillis(10));
		Decision decision = throttle.tryAcquire("c");
		assertThat(decision.reason()).isEqualTo(Decision.Reason.KEY_CAP);
		this.clock.advance(decision.retryAfter());
		assertThat(throttle.tryAcquire("c").admitted()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void idleKeysLeaveWhileOthersCall(Limit limit) {
		Throttle throttle = this.manager.addOrUpdate("keyed", limit);
		for (int i = 0; i < 1_000; i++) {
			throttle.tryAcquire("k" + i);
		}
		assertThat(throttle.snapshot(0).keys()).isEqualTo(1_000);

		for (int i = 0; i < 100; i++) {
			this.clock.advance(Duration.ofMillis(500));
			throttle.tryAcquire("caller");
		}

		assertThat(throttle.snapshot(0).keys()).isEqualTo(1);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(1_100);
	}

	@ParameterizedTest
	@MethodSource("rates")
	void idleKeysLeaveWhileOthersCome(Limit limit) {
		Throttle throttle = this.manager.addOrUpdate("keyed", limit);
		for (int i = 0; i < 20_000; i++) {
			this.clock.advance(Duration.ofMillis(1));
			throttle.tryAcquire("k" + i);
		}

		assertThat(throttle.snapshot(0).keys()).isBetween(1_000, 4_000);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(20_000);
	}

	@ParameterizedTest
	@MethodSource("allRates")
	@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void twoKeysThatAreTakenTogetherNeverGiveWayToEachOther(Limit limit) {
		Throttle throttle = throttle(limit, 2, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("old");
		this.clock.advance(Duration.ofSeconds(10));

		assertThat(together("a", "b").admitted()).isTrue();
		assertThat(throttle.state("a").used()).isEqualTo(1);
		assertThat(throttle.state("b").used()).isEqualTo(1);
		this.clock.advance(Duration.ofSeconds(10));
		throttle(limit, 1, AtMaxKeys.EVICT_IDLE);
		assertThat(together("c", "d").reason()).isEqualTo(Decision.Reason.KEY_CAP);
		this.clock.advanceNanos(1);
		assertThat(throttle.tryAcquire("e").admitted()).isTrue();
	}

	private Decision together(String first, String second) {
		return this.manager.tryAcquire(AcquireRequest.of("keyed", first), AcquireRequest.of("keyed", second));
	}

	/**
	 * A look costs as much as a call, so callers look at 50,000 keys a second at most.
	 */
	@Test
	void callersLookForIdleKeysAtABoundedPace() {
		Throttle throttle = throttle(Limit.fixedWindow(1_000, Duration.ofMillis(10)), 200_000, AtMaxKeys.EVICT_IDLE);
		for (int i = 0; i < 150_000; i++) {
			throttle.tryAcquire("k" + i);
		}
		callFor(throttle, Duration.ofSeconds(1));
		int before = throttle.snapshot(0).keys();

		callFor(throttle, Duration.ofSeconds(1));

		assertThat(before - throttle.snapshot(0).keys()).isBetween(30_000, 50_064);
		callFor(throttle, Duration.ofSeconds(60));
		assertThat(throttle.snapshot(0).keys()).isEqualTo(1);
	}

	private void callFor(Throttle throttle, Duration time) {
		for (int i = 0; i < 10_000; i++) {
			this.clock.advance(time.dividedBy(10_000));
			throttle.tryAcquire("caller");
		}
	}

	@Test
	void lookingAtAKeyDoesNotMakeIt() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 1, AtMaxKeys.REJECT_NEW_KEYS);

		assertThat(throttle.state("a").remaining()).isEqualTo(1);

		assertThat(throttle.snapshot(1).keys()).isZero();
		assertThat(throttle.tryAcquire("b").admitted()).isTrue();
	}

	@Test
	void keyThatHasUsedNothingIsNotForgottenWhileItWaits() {
		Throttle throttle = throttle(Limit.dynamicWindow(2, 1, 2, Duration.ofSeconds(1), 2), 2, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a", 2);
		CompletableFuture<Permit> waiting = throttle.acquire("b", 1, Duration.ofMinutes(1));

		assertThat(throttle.tryAcquire("c").reason()).isEqualTo(Decision.Reason.KEY_CAP);

		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void keyWithALineIsNotForgotten() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 1, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a");
		CompletableFuture<Permit> waiting = throttle.acquire("a", 1, Duration.ofMinutes(1));

		assertThat(throttle.tryAcquire("b").admitted()).isFalse();
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void newcomersRetryWhenTheFirstKeyIsIdleWhicheverThatIs() {
		for (List<String> keys : List.of(List.of("a", "b"), List.of("b", "a"))) {
			Throttle throttle = this.manager.addOrUpdate("log of " + keys, Limit.slidingLog(1, Duration.ofSeconds(1)),
					LimitOptions.builder().maxKeys(2).build());
			throttle.tryAcquire(keys.get(0));
			this.clock.advance(Duration.ofMillis(400));
			throttle.tryAcquire(keys.get(1));

			assertThat(throttle.tryAcquire("c").retryAfter()).isEqualTo(Duration.ofMillis(600));
		}
	}

	@Test
	void countsOfAKeyOutliveIt() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 1, AtMaxKeys.EVICT_IDLE);
		throttle.tryAcquire("a");
		throttle.tryAcquire("a");
		this.clock.advance(Duration.ofSeconds(1));

		throttle.tryAcquire("b");

		assertThat(throttle.snapshot(1).hottest()).extracting(KeyState::key).containsExactly("b");
		assertThat(throttle.snapshot(0).rejected()).isEqualTo(1);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(2);
	}

	@Test
	void hottestKeysComeFirst() {
		Throttle throttle = this.manager.addOrUpdate("keyed", Limit.slidingLog(2, Duration.ofSeconds(1)));
		throttle.tryAcquire("", 1);
		throttle.tryAcquire("full", 2);
		throttle.tryAcquire("rejected", 2);
		throttle.tryAcquire("rejected");

		assertThat(throttle.snapshot(3).hottest()).extracting(KeyState::key).containsExactly("rejected", "full", "");
		assertThat(throttle.snapshot(2).hottest()).extracting(KeyState::key).containsExactly("rejected", "full");
		assertThat(throttle.snapshot(0).keys()).isEqualTo(3);
		assertThatIllegalArgumentException().isThrownBy(() -> throttle.snapshot(-1)).withMessageContaining("'top'");
	}

	@Test
	void mutexKeysAtTheCapAreAllInUse() {
		Throttle throttle = throttle(Limit.mutex(), 1, AtMaxKeys.EVICT_IDLE);
		Permit permit = throttle.tryAcquire("a").permit();

		Decision decision = throttle.tryAcquire("b");
		assertThat(decision.reason()).isEqualTo(Decision.Reason.KEY_CAP);
		assertThat(decision.retryAfter()).isNull();
		permit.close();
		assertThat(throttle.tryAcquire("b").admitted()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void keysAndOwnersThatAreTooLongAreReplacedByTheirHeadAndDigest(boolean stored) {
		ThrottlingManager.Builder builder = ThrottlingManager.builder().clock(this.clock);
		ThrottlingManager manager = stored ? builder.store(ThrottleStore.inMemory(this.clock)).build()
				: builder.build();
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1, Duration.ofSeconds(1)));
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());
		String fits = "k".repeat(256);
		String key = "\uD83D\uDE00".repeat(500_000);

		for (String each : List.of(fits, key, "x" + key, key + "\uD83D", key + "\uDE00")) {
			assertThat(rate.tryAcquire(each).admitted()).isTrue();
			Decision rejected = rate.tryAcquire(each);
			assertThat(rejected.admitted()).isFalse();
			assertThat(rejected.throttled().key()).hasSizeLessThanOrEqualTo(256).startsWith(each.substring(0, 63));
			assertThat(rate.state(each).used()).isEqualTo(1);
			assertThat(rate.acquire(each, 1, Duration.ZERO)).isCompletedExceptionally();
			assertThat(manager.tryAcquire(AcquireRequest.of("rate", each)).admitted()).isFalse();
		}
		assertThat(rate.snapshot(10).hottest()).extracting(KeyState::key)
			.contains(fits)
			.allMatch((shown) -> shown.length() <= 256)
			.anyMatch((shown) -> shown.equals("\uD83D\uDE00".repeat(32) + "\u2026"
					+ "6e61e1f2b2a353cf34d0d14c0d34d351c2ebee5567a3e18872c2659f1740dfb3"));
		assertThat(rate.forget(key)).isTrue();
		assertThat(rate.tryAcquire(key).admitted()).isTrue();
		manager.tryAcquire(AcquireRequest.of("mutex", key).owner(key));
		assertThat(mutex.state(key).oldestHolder().orElseThrow().owner()).hasSizeLessThanOrEqualTo(256);
		assertThat(mutex.release(key, key)).isTrue();
		assertThat(mutex.release(key, key)).isFalse();
	}

	@Test
	void keysAreAnyTextAndNeverParsed() {
		Throttle throttle = throttle(Limit.slidingLog(1, Duration.ofSeconds(1)), 100, AtMaxKeys.EVICT_IDLE);

		for (String key : new String[] { "", " ", "a:b", "a", ":b", "{x}", "\u0000", "x".repeat(10_000) }) {
			assertThat(throttle.tryAcquire(key).admitted()).isTrue();
			assertThat(throttle.tryAcquire(key).admitted()).isFalse();
		}
	}

}
