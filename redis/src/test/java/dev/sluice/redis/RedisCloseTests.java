package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes that are closed while calls come. */
class RedisCloseTests {

	private static final Duration LONG = Duration.ofDays(1);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final RedisThrottleStore store = store(FailurePolicy.CLOSED);

	private RedisThrottleStore store(FailurePolicy policy) {
		return RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(5))
			.lease(LONG)
			.failurePolicy(policy)
			.build();
	}

	@AfterEach
	void close() {
		this.store.close();
		this.client.shutdown();
		this.server.close();
	}

	static Stream<Limit> limits() {
		return Stream.of(Limit.mutex(), Limit.slidingLog(1, LONG), Limit.dynamicWindow(1, 1, 1, LONG, 2));
	}

	@ParameterizedTest
	@MethodSource("limits")
	void nodeThatIsClosedWhileCallsComeLeavesNobodyInLine(Limit limit) throws Exception {
		Throttle throttle = define(this.store, limit);
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();

		for (int round = 0; round < 3; round++) {
			RedisThrottleStore closing = store(FailurePolicy.CLOSED);
			Throttle elsewhere = define(closing, limit);
			List<CompletableFuture<Permit>> calls = new ArrayList<>();
			CountDownLatch underWay = new CountDownLatch(100);
			AtomicBoolean closed = new AtomicBoolean();
			CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
				while (!closed.get()) {
					calls.add(elsewhere.acquire("k", 1, LONG.multipliedBy(2)));
					underWay.countDown();
					LockSupport.parkNanos(50_000);
				}
			});

			assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();
			closing.close();
			closed.set(true);

			caller.get(60, TimeUnit.SECONDS);
			assertThat(throttle.state("k").waiting()).isZero();
			await().until(() -> calls.stream().allMatch(CompletableFuture::isCompletedExceptionally));
		}
	}

	@Test
	void permitThatIsGrantedWhileTheNodeIsClosedIsHeldOrGivenBack() throws Exception {
		Throttle semaphore = define(this.store, Limit.semaphore(Integer.MAX_VALUE));
		RedisThrottleStore closing = store(FailurePolicy.CLOSED);
		Throttle elsewhere = define(closing, Limit.semaphore(Integer.MAX_VALUE));
		CountDownLatch underWay = new CountDownLatch(20);
		CompletableFuture<Integer> caller = CompletableFuture.supplyAsync(() -> {
			int held = 0;
			while (elsewhere.tryAcquire("k").admitted()) {
				held++;
				underWay.countDown();
			}
			return held;
		});

		assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();
		closing.close();

		assertThat(semaphore.state("k").used()).isEqualTo(caller.get(60, TimeUnit.SECONDS));
	}

	@Test
	void nodeThatBeatsWhileItIsClosedIsAliveNoMore() throws Exception {
		StoreAccess.close(store(FailurePolicy.CLOSED), StoreAccess::beat);

		try (StatefulRedisConnection<String, String> redis = this.client.connect()) {
			assertThat(redis.sync().zcard("sluice:nodes")).isOne();
		}
	}

	@ParameterizedTest
	@EnumSource
	void callsThatComeLaterGoByTheirPolicy(FailurePolicy policy) {
		RedisThrottleStore closed = store(policy);
		Throttle throttle = define(closed, Limit.slidingLog(1, LONG));

		closed.close();
		closed.close();

		boolean admitted = throttle.tryAcquire("k").admitted();
		assertThat(admitted).isEqualTo(policy != FailurePolicy.CLOSED);
		assertThat(throttle.acquire("k", 1, Duration.ZERO).isCompletedExceptionally())
			.isEqualTo(policy != FailurePolicy.OPEN);
		assertThat(throttle.tryAcquire("k").reason())
			.isEqualTo((policy == FailurePolicy.OPEN) ? Decision.Reason.ADMITTED : Decision.Reason.STORE);
	}

	private static Throttle define(RedisThrottleStore store, Limit limit) {
		return ThrottlingManager.builder().store(store).build().addOrUpdate("closing", limit);
	}

}
