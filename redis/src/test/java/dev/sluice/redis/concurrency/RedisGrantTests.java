package dev.sluice.redis.concurrency;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Grants of a mutex whose message, or answer, is late. */
class RedisGrantTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration LEASE = Duration.ofSeconds(1);

	private final RedisServer server = RedisServer.start();

	private final FaultyProxy network = FaultyProxy.to(this.server.port());

	private final RedisClient client = this.server.client();

	private final RedisClient remote = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private final RedisThrottleStore near = store(this.client);

	private final RedisThrottleStore far = store(this.remote);

	private static RedisThrottleStore store(RedisClient client) {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(5)).lease(LEASE).build();
	}

	@AfterEach
	void close() throws IOException {
		this.near.close();
		this.far.close();
		this.client.shutdown();
		this.remote.shutdown();
		this.network.close();
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "me" })
	void grantThatIsHeardOfAfterItsLeaseIsNotHandedOver(String owner) throws Exception {
		Throttle mutex = manager(this.near).find("order").orElseThrow();
		Permit permit = mutex.tryAcquire("k").permit();
		AcquireRequest request = AcquireRequest.of("order", "k").maxWait(LONG);
		CompletableFuture<Permit> late = manager(this.far).acquire(owner.isEmpty() ? request : request.owner(owner));
		await().until(() -> mutex.state("k").waiting() == 1);
		CompletableFuture<Permit> next = mutex.acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 2);

		this.network.hold();
		permit.close();
		Permit second = next.get(60, TimeUnit.SECONDS);
		AtomicBoolean lost = new AtomicBoolean();
		second.onLost(() -> lost.set(true));
		this.network.repair();

		await().until(late::isDone);
		boolean both = !late.isCompletedExceptionally() && !lost.get();
		assertThat(both).as("Two are inside").isFalse();
		second.close();
		await().until(() -> mutex.tryAcquire("k").admitted());
	}

	@Test
	void grantThatIsHeardOfLateIsConfirmedAndHandedOver() throws Exception {
		LimitOptions options = LimitOptions.builder().lease(LEASE.multipliedBy(3)).build();
		Throttle mutex = manager(this.near).addOrUpdate("patient", Limit.mutex(), options);
		Throttle elsewhere = manager(this.far).addOrUpdate("patient", Limit.mutex(), options);
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> late = elsewhere.acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 1);

		this.network.hold();
		permit.close();
		await().pollDelay(LEASE.multipliedBy(3).dividedBy(2)).until(() -> true);
		this.network.repair();

		Permit granted = late.get(60, TimeUnit.SECONDS);
		assertThat(mutex.state("k").used()).isEqualTo(1);
		granted.close();
		await().until(() -> mutex.tryAcquire("k").admitted());
	}

	@Test
	void grantThatIsAnsweredAfterItsLeaseIsGivenBack() {
		Throttle mutex = manager(this.far).find("order").orElseThrow();
		CompletableFuture<Void> repair = CompletableFuture.runAsync(this.network::repair,
				CompletableFuture.delayedExecutor(LEASE.toMillis() * 3 / 2, TimeUnit.MILLISECONDS));

		this.network.hold();
		assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);

		repair.join();
		await().until(() -> mutex.tryAcquire("k").admitted());
	}

	@Test
	void holderIsToldOfTheEndOfItsLeaseThoughAnAnswerIsOutstanding() {
		Throttle mutex = manager(this.far).find("order").orElseThrow();
		AtomicBoolean lost = new AtomicBoolean();
		mutex.tryAcquire("k").permit().onLost(() -> lost.set(true));

		this.network.hold();

		await().atMost(LEASE.multipliedBy(3)).untilTrue(lost);
	}

	@Test
	void freshGrantCostsNothingMoreThanItsMessage() throws Exception {
		Throttle mutex = manager(this.near).find("order").orElseThrow();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			Permit permit = mutex.tryAcquire("k").permit();
			long before = scripts(connection);
			for (int i = 0; i < 50; i++) {
				CompletableFuture<Permit> next = mutex.acquire("k", 1, LONG);
				permit.close();
				permit = next.get(60, TimeUnit.SECONDS);
			}

			assertThat(scripts(connection) - before).as("Two for each: enter and exit").isLessThan(150);
		}
	}

	private static long scripts(StatefulRedisConnection<String, String> connection) {
		Matcher calls = Pattern.compile("cmdstat_eval(sha)?:calls=(\\d+)")
			.matcher(connection.sync().info("commandstats"));
		return calls.results().mapToLong((found) -> Long.parseLong(found.group(2))).sum();
	}

	private static ThrottlingManager manager(RedisThrottleStore store) {
		ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
		manager.addOrUpdate("order", Limit.mutex());
		return manager;
	}

}
