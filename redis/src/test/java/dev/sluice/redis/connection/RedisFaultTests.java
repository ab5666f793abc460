package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.StoreAccess;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** Servers that die, stop, forget and come back; nodes that die. */
@Execution(ExecutionMode.CONCURRENT)
class RedisFaultTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private RedisThrottleStore store;

	private ThrottlingManager manager;

	@BeforeEach
	void connect() {
		this.store = store(Duration.ofSeconds(30));
		this.manager = ThrottlingManager.builder().store(this.store).build();
	}

	@AfterEach
	void close() {
		this.store.close();
		this.client.shutdown();
		this.server.close();
	}

	private RedisThrottleStore store(Duration lease) {
		return RedisThrottleStore.builder(this.client).timeout(TIMEOUT).lease(lease).build();
	}

	@Test
	void whileTheServerIsAwayCallsAreRejectedAndThenTheyAreAdmittedAgain() {
		Throttle throttle = this.manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();

		this.server.kill();
		await().until(() -> throttle.tryAcquire("k").reason() == Decision.Reason.STORE);
		assertThat(throttle.tryAcquire("k").retryAfter()).isPositive();
		assertRejectedByTheStore(throttle.acquire("k", 1, Duration.ZERO));
		assertRejectedByTheStore(throttle.acquire("k", 1, LONG));
		assertThat(throttle.state("k").retryAfter()).isNull();
		assertThat(throttle.snapshot(1).hottest()).isEmpty();
		assertThatIllegalStateException()
			.isThrownBy(() -> this.manager.addOrUpdate("quotes", Limit.slidingLog(2, LONG)));

		this.server.restart();
		await().untilAsserted(() -> assertThat(throttle.tryAcquire("k").admitted()).isTrue());
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	@Test
	void serverThatDoesNotAnswerCountsAsAway() {
		Throttle throttle = this.manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));

		this.server.pause();
		long start = System.nanoTime();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(30).toNanos());
		assertRejectedByTheStore(throttle.acquire("k", 1, Duration.ZERO));
		assertRejectedByTheStore(throttle.acquire("k", 1, LONG));
		this.server.goOn();

		await().untilAsserted(() -> assertThat(throttle.tryAcquire("k").reason()).isNotEqualTo(Decision.Reason.STORE));
	}

	@Test
	void callThatIsUnderWayEndsWhenTheConnectionIsLost() {
		try (RedisThrottleStore patient = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofMinutes(10))
			.build()) {
			Throttle throttle = ThrottlingManager.builder()
				.store(patient)
				.build()
				.addOrUpdate("quotes", Limit.slidingLog(1, LONG));

			this.server.pause();
			CompletableFuture<Permit> call = throttle.acquire("k", 1, Duration.ZERO);
			this.server.kill();
			assertRejectedByTheStore(call);

			this.server.restart();
			await().until(() -> throttle.tryAcquire("k").admitted());
		}
	}

	@Test
	void whatIsGrantedTooLateIsGivenBack() {
		Throttle throttle = this.manager.addOrUpdate("quotes", Limit.slidingLog(2, LONG));

		this.server.pause();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		assertRejectedByTheStore(throttle.acquire("k", 1, Duration.ZERO));
		this.server.goOn();

		await().untilAsserted(() -> assertThat(throttle.tryAcquire("k", 2).admitted()).isTrue());
	}

	@Test
	void limitThatTheServerHasForgottenIsDefinedAgain() {
		this.manager.addOrUpdate("quotes", Limit.slidingLog(7, LONG));

		this.server.kill();
		this.server.restart();

		await().untilAsserted(() -> assertThat(definition()).startsWith("1 rate type=sliding-log limit=7 "));
	}

	private String definition() {
		try (var connection = this.client.connect()) {
			return connection.sync().get("sluice:limit:quotes");
		}
	}

	@Test
	void connectionForMessagesIsOpenedAgain() throws Exception {
		Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());
		Permit first = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> second = mutex.acquire("k", 1, LONG);

		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().clientKill(KillArgs.Builder.typePubsub());
			await().until(() -> connection.sync().clientList().contains(" sub=3 "));
		}
		first.close();
		assertThat(second.get(60, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void whatHappensWhileThereIsNoConnectionForMessagesIsSeenWhenThereIsOne() throws Exception {
		Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());
		Throttle rate = this.manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		Permit first = mutex.tryAcquire("k").permit();
		rate.tryAcquire("k");
		CompletableFuture<Permit> second = mutex.acquire("k", 1, LONG);
		CompletableFuture<Permit> quote = rate.acquire("k", 1, LONG.multipliedBy(2));
		await().until(() -> mutex.state("k").waiting() == 1 && rate.state("k").waiting() == 1);

		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().clientKill(KillArgs.Builder.typePubsub());
			connection.sync().del("sluice:{quotes:k}");
			first.close();
		}

		assertThat(second.get(5, TimeUnit.SECONDS)).isNotNull();
		assertThat(quote.get(5, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void nodeThatStartsWithoutAServerWorksOnceThereIsOne() {
		this.server.kill();
		try (RedisThrottleStore early = store(Duration.ofSeconds(30))) {
			Throttle throttle = ThrottlingManager.builder()
				.store(early)
				.build()
				.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);

			this.server.restart();

			await().untilAsserted(() -> assertThat(throttle.tryAcquire("k").admitted()).isTrue());
			await().untilAsserted(() -> assertThat(definition()).isNotNull());
		}
	}

	@Test
	void lineGoesOnWhenItsFirstNodeHasDied() throws Exception {
		Limit limit = Limit.slidingLog(1, Duration.ofSeconds(2));
		RedisThrottleStore dying = store(Duration.ofSeconds(3));
		Throttle first = ThrottlingManager.builder().store(dying).build().addOrUpdate("quotes", limit);
		Throttle second = this.manager.addOrUpdate("quotes", limit);
		RedisThrottleStore attentive = store(Duration.ofSeconds(3));
		Throttle third = ThrottlingManager.builder().store(attentive).build().addOrUpdate("quotes", limit);
		assertThat(second.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> lost = first.acquire("k", 1, LONG);
		await().until(() -> second.state("k").waiting() == 1);
		CompletableFuture<Permit> next = third.acquire("k", 1, LONG);
		await().until(() -> second.state("k").waiting() == 2);

		StoreAccess.abandon(dying);

		assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(lost).isNotDone();
		attentive.close();
	}

	@Test
	void whoWaitsForARateIsInLineAgainWhenTheServerHasForgottenIt() throws Exception {
		try (RedisThrottleStore attentive = store(Duration.ofSeconds(3))) {
			Throttle throttle = ThrottlingManager.builder()
				.store(attentive)
				.build()
				.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			CompletableFuture<Permit> first = throttle.acquire("k", 1, LONG.multipliedBy(3));
			await().until(() -> throttle.state("k").waiting() == 1);
			CompletableFuture<Permit> second = throttle.acquire("k", 1, LONG.multipliedBy(3));
			await().until(() -> throttle.state("k").waiting() == 2);

			this.server.kill();
			this.server.restart();

			assertThat(first.get(60, TimeUnit.SECONDS)).isNotNull();
			await().until(() -> throttle.state("k").waiting() == 1);
			assertThat(second).isNotDone();
		}
	}

	@Test
	void whoIsServedByAnAnswerThatIsLateIsServed() throws Exception {
		Limit limit = Limit.slidingLog(1, Duration.ofSeconds(5));
		try (RedisThrottleStore patient = store(LONG)) {
			Throttle throttle = ThrottlingManager.builder().store(patient).build().addOrUpdate("quotes", limit);
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			CompletableFuture<Permit> waiting = throttle.acquire("k", 1, LONG);
			await().until(() -> throttle.state("k").waiting() == 1 || waiting.isDone());

			this.server.pause();
			await().until(() -> patient.snapshot().failed() > 0);
			this.server.goOn();

			assertThat(waiting.get(60, TimeUnit.SECONDS)).isNotNull();
		}
	}

	private static void assertRejectedByTheStore(CompletableFuture<Permit> call) {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(60, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(ThrottledException.class,
					(throttled) -> assertThat(throttled.reason()).isEqualTo(Decision.Reason.STORE));
	}

}
