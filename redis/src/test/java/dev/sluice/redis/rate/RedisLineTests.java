package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Lines of rates, on nodes that would not look by themselves before a day has passed. */
class RedisLineTests {

	private static final Duration LONG = Duration.ofDays(3);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final RedisThrottleStore store = store();

	private final RedisThrottleStore otherStore = store();

	private RedisThrottleStore store() {
		return RedisThrottleStore.builder(this.client).timeout(Duration.ofSeconds(10)).lease(LONG).build();
	}

	@AfterEach
	void close() {
		this.store.close();
		this.otherStore.close();
		this.client.shutdown();
		this.server.close();
	}

	@Test
	void nodeIsToldThatTheOneBeforeHasLeftTheLine() throws Exception {
		Limit limit = Limit.slidingLog(4, LONG);
		Throttle rate = define(this.store, limit);
		Throttle elsewhere = define(this.otherStore, limit);
		assertThat(rate.tryAcquire("k", 3).admitted()).isTrue();
		CompletableFuture<Permit> first = rate.acquire("k", 2, LONG.multipliedBy(9));
		await().until(() -> rate.state("k").waiting() == 1);
		CompletableFuture<Permit> second = elsewhere.acquire("k", 1, LONG.multipliedBy(9));
		await().until(() -> rate.state("k").waiting() == 2);

		first.cancel(false);

		assertThat(second.get(60, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void nodeIsToldThatTheOneBeforeWasServed() throws Exception {
		Limit limit = Limit.slidingLog(1, Duration.ofSeconds(3));
		Throttle rate = define(this.store, limit);
		Throttle elsewhere = define(this.otherStore, limit);
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> first = rate.acquire("k", 1, LONG);
		CompletableFuture<Permit> second = elsewhere.acquire("k", 1, LONG);

		assertThat(first.get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(second.get(60, TimeUnit.SECONDS)).isNotNull();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void callersOfOneNodeAreServedWhenTheirTimeComes(Limit limit) throws Exception {
		Throttle rate = define(this.store, limit);
		assertThat(rate.tryAcquire("k").admitted()).isTrue();

		List<CompletableFuture<Permit>> line = Stream.generate(() -> rate.acquire("k", 1, LONG)).limit(3).toList();

		for (CompletableFuture<Permit> call : line) {
			assertThat(call.get(10, TimeUnit.SECONDS)).isNotNull();
		}
	}

	static Stream<Limit> rates() {
		Duration period = Duration.ofMillis(250);
		return Stream.of(Limit.slidingLog(1, period), Limit.fixedWindow(1, period), Limit.slidingWindow(1, period, 2),
				Limit.dynamicWindow(1, 1, 1, period, 2), Limit.tokenBucket(1, 1, period));
	}

	private static Throttle define(RedisThrottleStore store, Limit limit) {
		return ThrottlingManager.builder().store(store).build().addOrUpdate("quotes", limit);
	}

}
