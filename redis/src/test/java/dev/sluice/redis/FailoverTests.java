package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.StoredThrottle;
import io.lettuce.core.RedisClient;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.InstanceOfAssertFactories.COLLECTION;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of calls while the server is unavailable, and when it goes and comes back.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailoverTests {

	private static final Duration LONG = Duration.ofDays(1);

	/** A wait that no timer ends. */
	private static final Duration ENDLESS = Duration.ofDays(20_000);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	@AfterEach
	void close() {
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.server.close();
	}

	/** Starts a node. */
	private ThrottlingManager node(FailurePolicy policy) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(5))
			.failurePolicy(policy)
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build();
	}

	/** Starts two nodes that know of each other. */
	private ThrottlingManager[] twoNodes(FailurePolicy policy) {
		ThrottlingManager[] nodes = { node(policy), node(policy) };
		this.stores.forEach((store) -> eventually().until(() -> {
			StoreAccess.beat(store);
			return store.snapshot().nodes() == 2;
		}));
		return nodes;
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofMinutes(1));
	}

	private void kill() {
		this.server.kill();
		this.stores.forEach((store) -> eventually().until(() -> store.snapshot().unavailable()));
	}

	private void restart() {
		this.server.restart();
		this.stores.forEach((store) -> eventually().until(() -> !store.snapshot().unavailable()));
	}

	private long admitted(FailurePolicy policy) {
		return this.stores.stream().mapToLong((store) -> store.snapshot().admitted().get(policy)).sum();
	}

	private long rejected(FailurePolicy policy) {
		return this.stores.stream().mapToLong((store) -> store.snapshot().rejected().get(policy)).sum();
	}

	// Closed

	@Test
	void closedLimitRejectsAndCountsWhatItRejects() {
		Throttle throttle = node(FailurePolicy.CLOSED).addOrUpdate("quotes", Limit.slidingLog(9, LONG));

		kill();
		assertThat(throttle.tryAcquire("k").retryAfter()).isPositive();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		assertRejected(throttle.acquire("k", 1, LONG));
		assertThat(rejected(FailurePolicy.CLOSED)).isEqualTo(3);
		assertThat(this.stores.get(0).snapshot().closed()).containsExactly("quotes");

		restart();
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		eventually().until(() -> throttle.snapshot(0).rejected() == 3);
	}

	@Test
	void callInLineOfAClosedLimitWaitsOn() throws Exception {
		Throttle mutex = node(FailurePolicy.CLOSED).addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		eventually().until(() -> mutex.state("k").waiting() == 1);

		this.server.pause();
		for (int i = 0; i < 5; i++) {
			mutex.acquire("other", 1, Duration.ZERO);
		}
		eventually().until(() -> this.stores.get(0).snapshot().unavailable());
		await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
		assertThat(waiting).isNotDone();
		this.server.goOn();
		permit.close();

		assertThat(waiting.get(60, TimeUnit.SECONDS).fencingToken()).isPresent();
	}

	@Test
	void whatCannotBeToldToRedisFails() {
		ThrottlingManager manager = node(FailurePolicy.CLOSED);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Throttle rate = manager.addOrUpdate("quotes", Limit.slidingLog(9, LONG));
		assertThat(manager.tryAcquire(AcquireRequest.of("order", "k").owner("batch")).admitted()).isTrue();

		kill();

		assertThatIllegalStateException().isThrownBy(() -> mutex.release("other", "batch"));
		assertThatIllegalStateException().isThrownBy(() -> rate.forget("k"));
		assertThatIllegalStateException().isThrownBy(() -> mutex.release("k", "batch"));
	}

	// Open

	@Test
	void openLimitAdmitsAndCountsWhatItAdmits() {
		Throttle throttle = node(FailurePolicy.OPEN).addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		eventually().until(() -> throttle.snapshot(0).admitted() == 1);

		kill();
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		assertThat(throttle.tryAcquireNanos("k", 1)).isZero();
		assertThat(throttle.acquire("k", 1, Duration.ZERO)).succeedsWithin(Duration.ofMinutes(1));
		assertThat(throttle.acquire("k", 1, LONG)).succeedsWithin(Duration.ofMinutes(1));
		assertThat(throttle.state("k").remaining()).isOne();
		assertThat(admitted(FailurePolicy.OPEN)).isEqualTo(4);
		assertThat(this.stores.get(0).snapshot().closed()).isEmpty();

		restart();
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		eventually().until(() -> throttle.snapshot(0).admitted() == 5);
	}

	@Test
	void openMutexLetsEverybodyInWithoutATokenAndIsAMutexAgain() {
		Throttle mutex = node(FailurePolicy.OPEN).addOrUpdate("order", Limit.mutex());

		kill();
		Permit first = mutex.tryAcquire("k").permit();
		Permit second = mutex.tryAcquire("k").permit();
		assertThat(first.fencingToken()).isEmpty();
		restart();

		Permit third = mutex.tryAcquire("k").permit();
		assertThat(third.fencingToken()).isPresent();
		first.close();
		second.close();
		assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	// Local

	@Test
	void localLimitIsDividedByTheNodesThatLive() {
		ThrottlingManager[] nodes = twoNodes(FailurePolicy.LOCAL);
		Limit limit = Limit.slidingLog(5, LONG);
		Throttle first = nodes[0].addOrUpdate("quotes", limit);
		Throttle second = nodes[1].addOrUpdate("quotes", limit);

		kill();
		for (Throttle throttle : List.of(first, second)) {
			assertThat(throttle.tryAcquire("k", 2).admitted()).isTrue();
			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			assertThat(throttle.tryAcquire("k").retryAfter()).isPositive();
			assertThat(throttle.tryAcquire("other", 3).reason()).isEqualTo(Decision.Reason.STORE);
			assertRejected(throttle.acquire("other", 3, LONG));
			assertThat(throttle.state("k").used()).isEqualTo(2);
			assertThat(throttle.forget("k")).isTrue();
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		}
		assertThat(admitted(FailurePolicy.LOCAL)).isEqualTo(4);
		assertThat(rejected(FailurePolicy.LOCAL)).isEqualTo(8);

		restart();
		assertThat(first.tryAcquire("k", 5).admitted()).isTrue();
		assertThat(second.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	@Test
	void everyKindOfLimitHasAShareOnItsNode() {
		Duration epoch = Duration.ofDays(10_000);
		ThrottlingManager manager = node(FailurePolicy.LOCAL);
		List<Throttle> throttles = Stream
			.of(Limit.slidingLog(2, epoch), Limit.fixedWindow(2, epoch), Limit.slidingWindow(2, epoch, 4),
					Limit.dynamicWindow(2, 1, 2, epoch, 4), Limit.tokenBucket(2, 2, epoch), Limit.semaphore(2))
			.map((limit) -> manager.addOrUpdate(limit.type(), limit))
			.toList();

		kill();

		assertThat(throttles).allSatisfy((throttle) -> {
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			Decision third = throttle.tryAcquire("k");
			assertThat(third.reason()).isEqualTo(Decision.Reason.STORE);
			if (!throttle.limit().isHeld()) {
				assertThat(third.retryAfter()).isPositive();
			}
		});
	}

	@Test
	void nodeThatHasLeftCountsNoLonger() {
		ThrottlingManager[] nodes = twoNodes(FailurePolicy.LOCAL);
		nodes[0].addOrUpdate("quotes", Limit.slidingLog(5, LONG));

		this.stores.remove(1).close();

		await().atMost(Duration.ofSeconds(20)).until(() -> {
			StoreAccess.beat(this.stores.get(0));
			return this.stores.get(0).snapshot().nodes() == 1;
		});
	}

	@Test
	void localMutexIsOneOnEachNodeAndKeepsALine() throws Exception {
		ThrottlingManager[] nodes = twoNodes(FailurePolicy.LOCAL);
		Throttle first = nodes[0].addOrUpdate("order", Limit.mutex());
		Throttle second = nodes[1].addOrUpdate("order", Limit.mutex());

		kill();
		Permit permit = first.tryAcquire("k").permit();
		assertThat(permit.fencingToken()).isEmpty();
		assertThat(first.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		assertThat(second.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> waiting = first.acquire("k", 1, LONG);
		StoredThrottle opened = this.stores.get(0).open("order", Limit.mutex(), LimitOptions.defaults()).orElseThrow();
		assertThat(opened).extracting("waiting").asInstanceOf(COLLECTION).hasSize(1);
		assertThat(waiting).isNotDone();
		permit.close();

		assertThat(waiting.get(60, TimeUnit.SECONDS)).isNotNull();
		eventually().untilAsserted(() -> assertThat(opened).extracting("waiting").asInstanceOf(COLLECTION).isEmpty());
	}

	@Test
	void ownerOfLocalPermitsIsReleased() {
		Throttle mutex = node(FailurePolicy.LOCAL).addOrUpdate("order", Limit.mutex());
		ThrottlingManager manager = ThrottlingManager.builder().store(this.stores.get(0)).build();
		manager.addOrUpdate("order", Limit.mutex());

		kill();
		assertThat(manager.tryAcquire(AcquireRequest.of("order", "k").owner("batch")).admitted()).isTrue();
		assertThat(manager.tryAcquire(AcquireRequest.of("order", "k").owner("batch")).admitted()).isTrue();
		assertThat(mutex.tryAcquire("k").admitted()).isFalse();
		assertThat(mutex.release("k", "batch")).isTrue();

		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
	}

	@Test
	void whatIsHeldAndUsedHereIsLetGoTogetherWithWhatIsInRedis() {
		ThrottlingManager manager = node(FailurePolicy.LOCAL);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Throttle rate = manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		AcquireRequest batch = AcquireRequest.of("order", "k").owner("batch");
		kill();
		assertThat(manager.tryAcquire(batch).admitted()).isTrue();
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		restart();
		assertThat(manager.tryAcquire(batch).admitted()).isTrue();
		assertThat(rate.tryAcquire("k").admitted()).isTrue();

		assertThat(mutex.release("k", "batch")).isTrue();
		assertThat(rate.forget("k")).isTrue();

		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		assertThat(mutex.release("k", "batch")).isFalse();
	}

	@Test
	void whoWaitsHereWaitsInRedisWhenItIsBack() throws Exception {
		Throttle mutex = node(FailurePolicy.LOCAL).addOrUpdate("order", Limit.mutex());
		kill();
		Permit local = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> first = mutex.acquire("k", 1, LONG);
		CompletableFuture<Permit> second = mutex.acquire("k", 1, LONG);
		CompletableFuture<Permit> cancelled = mutex.acquire("k", 1, LONG);
		cancelled.cancel(false);

		restart();

		Permit granted = first.get(60, TimeUnit.SECONDS);
		assertThat(granted.fencingToken()).isPresent();
		eventually().until(() -> mutex.state("k").waiting() == 1);
		local.close();
		assertThat(second).isNotDone();
		granted.close();
		assertThat(second.get(60, TimeUnit.SECONDS).fencingToken()).isPresent();
	}

	@Test
	void limitThatIsTakenTogetherWithAnotherIsGivenBackHereToo() {
		ThrottlingManager manager = node(FailurePolicy.LOCAL);
		manager.addOrUpdate("quotes", Limit.slidingLog(2, LONG));
		manager.addOrUpdate("trades", Limit.slidingLog(1, LONG));

		kill();
		AcquireRequest quotes = AcquireRequest.of("quotes", "k");
		AcquireRequest trades = AcquireRequest.of("trades", "k");
		assertThat(manager.tryAcquire(quotes, trades).admitted()).isTrue();
		assertThat(manager.tryAcquire(quotes, trades).reason()).isEqualTo(Decision.Reason.STORE);

		assertThat(manager.get("quotes").state("k").used()).isOne();
		restart();
		eventually().until(() -> manager.get("quotes").snapshot(0).admitted() == 1);
	}

	// Who waits when Redis goes

	@ParameterizedTest
	@EnumSource(names = "CLOSED", mode = EnumSource.Mode.EXCLUDE)
	void whoWaitsForAPermitInRedisGoesByThePolicyWhenItIsAway(FailurePolicy policy) throws Exception {
		ThrottlingManager manager = node(policy);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Throttle rate = manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		CompletableFuture<Permit> waitingForTheRate = rate.acquire("k", 1, LONG.multipliedBy(3));
		eventually().until(() -> mutex.state("k").waiting() + rate.state("k").waiting() == 2);

		kill();

		assertThat(waiting.get(60, TimeUnit.SECONDS).fencingToken()).isEmpty();
		assertThat(waitingForTheRate.get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(admitted(policy)).isEqualTo(2);
	}

	@Test
	void waitThatDoesNotSufficeHereEndsInARejection() {
		Throttle mutex = node(FailurePolicy.LOCAL).addOrUpdate("order", Limit.mutex());
		kill();
		assertThat(mutex.tryAcquire("k").admitted()).isTrue();

		assertRejected(mutex.acquire("k", 1, Duration.ofMillis(50)));
	}

	// A store that is closed

	@Test
	void whoWaitsHereIsRejectedWhenTheStoreIsClosed() {
		Throttle mutex = node(FailurePolicy.LOCAL).addOrUpdate("order", Limit.mutex());
		kill();
		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		assertThat(waiting).isNotDone();

		this.stores.remove(0).close();

		assertRejected(waiting);
	}

	@Test
	void callsThatComeWhileTheStoreIsClosedEnd() throws Exception {
		for (int i = 0; i < 3; i++) {
			Throttle mutex = node(FailurePolicy.CLOSED).addOrUpdate("order-" + i, Limit.mutex());
			assertThat(mutex.tryAcquire("k").admitted()).isTrue();
			List<CompletableFuture<Permit>> calls = new ArrayList<>();
			CountDownLatch started = new CountDownLatch(10);
			AtomicBoolean closed = new AtomicBoolean();
			CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
				while (!closed.get()) {
					calls.add(mutex.acquire("k", 1, ENDLESS));
					started.countDown();
					LockSupport.parkNanos(100_000);
				}
			});

			assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
			this.stores.remove(0).close();
			closed.set(true);
			caller.get(60, TimeUnit.SECONDS);

			for (CompletableFuture<Permit> call : calls) {
				assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(60, TimeUnit.SECONDS))
					.withCauseInstanceOf(RejectedExecutionException.class);
			}
		}
	}

	// A server that is slow

	@ParameterizedTest
	@EnumSource
	void callsWaitForASlowServerNoLongerOnceThatIsKnown(FailurePolicy policy) {
		Throttle throttle = node(policy).addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();

		this.server.pause();
		for (int i = 0; i < 5; i++) {
			throttle.acquire("k", 1, Duration.ZERO);
		}
		eventually().until(() -> this.stores.get(0).snapshot().unavailable());
		long start = System.nanoTime();
		for (int i = 0; i < 100; i++) {
			throttle.tryAcquire("k");
		}
		for (int i = 0; i < 50; i++) {
			assertThat(throttle.state("k")).isNotNull();
			assertThat(throttle.snapshot(1)).isNotNull();
		}
		assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(30).toNanos());
		this.server.goOn();

		eventually().until(() -> throttle.tryAcquire("k").reason() == Decision.Reason.LIMIT);
		assertThat(this.stores.get(0).snapshot().failed()).isGreaterThanOrEqualTo(5);
		assertThat(this.stores.get(0).snapshot().answered()).isPositive();
		assertThat(this.stores.get(0).snapshot().answerTime()).isPositive();
	}

	private static void assertRejected(CompletableFuture<Permit> call) {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(60, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(ThrottledException.class,
					(throttled) -> assertThat(throttled.reason()).isEqualTo(Decision.Reason.STORE));
	}

}
