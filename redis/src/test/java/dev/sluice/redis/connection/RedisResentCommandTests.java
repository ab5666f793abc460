package dev.sluice.redis.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Grants over a client that connects again by itself, as clients do unless they are told
 * otherwise, and sends anew what has no answer.
 */
class RedisResentCommandTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/** A release that is lost, too, is sent again when its time is over. */
	private static final Duration PATIENCE = TIMEOUT.multipliedBy(4);

	private static RedisServer server;

	private static RedisClient client;

	private static RedisThrottleStore healthy;

	private final FaultyProxy network = FaultyProxy.to(server.port());

	private final RedisClient remote = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private final RedisThrottleStore store = RedisThrottleStore.builder(this.remote)
		.timeout(TIMEOUT)
		.lease(Duration.ofMinutes(5))
		.build();

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		healthy = RedisThrottleStore.builder(client).timeout(TIMEOUT).build();
	}

	@AfterEach
	void close() throws IOException {
		this.store.close();
		this.remote.shutdown();
		this.network.close();
	}

	@AfterAll
	static void stop() {
		healthy.close();
		client.shutdown();
		server.close();
	}

	static Stream<Limit> limits() {
		return Stream.of(Limit.mutex(), Limit.slidingLog(3, LONG), Limit.fixedWindow(3, LONG),
				Limit.slidingWindow(3, LONG, 3), Limit.tokenBucket(3, 3, LONG),
				Limit.dynamicWindow(99, 1, 99, LONG, 3));
	}

	private static Throttle throttle(RedisThrottleStore store, Limit limit) {
		Throttle throttle = ThrottlingManager.builder()
			.store(store)
			.build()
			.addOrUpdate("resent-" + limit.type(), limit);
		throttle.acquire("warm", 1, Duration.ZERO);
		throttle.acquire("warm", 1, LONG).cancel(false);
		return throttle;
	}

	@ParameterizedTest
	@MethodSource("limits")
	void grantIsCountedOnceIfItIsHeardAndOtherwiseNotAtAll(Limit limit) {
		Throttle throttle = throttle(this.store, limit);
		Throttle elsewhere = throttle(healthy, limit);

		assertCountedOnce(throttle, elsewhere, "at-once", Duration.ZERO);
		assertCountedOnce(throttle, elsewhere, "in-line", LONG);
	}

	private void assertCountedOnce(Throttle throttle, Throttle elsewhere, String key, Duration maxWait) {
		await().atMost(PATIENCE).until(() -> !this.store.snapshot().unavailable());
		this.network.swallowAnswers();
		CompletableFuture<Permit> call = throttle.acquire(key, 1, maxWait);
		await().atMost(PATIENCE).until(() -> elsewhere.state(key).used() == 1);
		this.network.cut();
		this.network.repair();
		await().atMost(PATIENCE).until(call::isDone);

		int granted = call.isCompletedExceptionally() ? 0 : 1;
		await().atMost(PATIENCE)
			.during(Duration.ofMillis(300))
			.untilAsserted(() -> assertThat(elsewhere.state(key).used()).isEqualTo(granted));
	}

}
