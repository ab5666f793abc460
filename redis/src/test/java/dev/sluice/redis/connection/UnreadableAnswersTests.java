package dev.sluice.redis.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Answers of another format than a script has: they end their calls, and nothing else.
 */
class UnreadableAnswersTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static RedisServer server;

	private static RedisClient client;

	private final FaultyProxy network = FaultyProxy.to(server.port());

	private final RedisClient remote = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private final RedisThrottleStore store = RedisThrottleStore.builder(this.remote)
		.timeout(Duration.ofSeconds(40))
		.lease(Duration.ofSeconds(6))
		.build();

	private final ThrottlingManager node = ThrottlingManager.builder().store(this.store).build();

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
	}

	@AfterEach
	void close() throws IOException {
		this.network.repair();
		this.store.close();
		this.remote.shutdown();
		this.network.close();
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	@ParameterizedTest
	@CsvSource({ "1, PT0S", "10, PT0S", "1, P1D", "10, P1D" })
	void callOfARateEndsAndTheNextIsAdmitted(int batch, Duration maxWait) {
		Throttle rate = this.node.addOrUpdate("rate-" + batch + maxWait, Limit.slidingLog(1_000, LONG),
				LimitOptions.builder().batch(batch).build());
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		this.network.shortenAnswers();
		CompletableFuture<Permit> unread = rate.acquire("k", 1, maxWait);
		await().until(() -> this.network.shortened() > 0);
		await().atMost(Duration.ofSeconds(20)).until(unread::isCompletedExceptionally);
		this.network.repair();

		CompletableFuture<Permit> next = rate.acquire("k", 1, Duration.ZERO);

		await().atMost(Duration.ofSeconds(20)).until(next::isDone);
		assertThat(next).isCompleted();
	}

	@Tag("full")
	@ParameterizedTest
	@ValueSource(strings = { "PT0S", "P1D" })
	void callOfAMutexEndsAndTheNextIsAdmitted(Duration maxWait) {
		Throttle mutex = this.node.addOrUpdate("order" + maxWait, Limit.mutex());
		assertThat(mutex.state("k").waiting()).isZero();
		this.network.shortenAnswers();
		CompletableFuture<Permit> unread = mutex.acquire("k", 1, maxWait);
		await().atMost(Duration.ofSeconds(20)).until(unread::isCompletedExceptionally);
		this.network.repair();

		CompletableFuture<Permit> next = mutex.acquire("k", 1, LONG);

		await().atMost(Duration.ofSeconds(20)).until(next::isDone);
		assertThat(next).isCompleted();
	}

	@Tag("full")
	@Test
	void permitsAreRenewedAgain() {
		Throttle mutex = this.node.addOrUpdate("lock", Limit.mutex());
		AtomicBoolean lost = new AtomicBoolean();
		Permit permit = mutex.acquire("k", 1, Duration.ZERO).join();
		permit.onLost(() -> lost.set(true));
		this.network.shortenAnswers();
		// longer than until the next renewal
		await().pollDelay(Duration.ofSeconds(3)).until(() -> this.network.shortened() > 0);
		this.network.repair();
		try (RedisThrottleStore other = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(20)).build()) {
			Throttle elsewhere = ThrottlingManager.builder().store(other).build().addOrUpdate("lock", Limit.mutex());

			CompletableFuture<Permit> taken = elsewhere.acquire("k", 1, Duration.ofSeconds(9));

			await().atMost(Duration.ofSeconds(40)).until(taken::isDone);
			assertThat(taken).isCompletedExceptionally();
			assertThat(lost).isFalse();
		}
	}

}
