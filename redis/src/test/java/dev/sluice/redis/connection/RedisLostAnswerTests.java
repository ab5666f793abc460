package dev.sluice.redis.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What Redis has granted to calls that never hear of it, as the connection is lost. */
class RedisLostAnswerTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static RedisServer server;

	private static RedisClient client;

	private static RedisThrottleStore healthy;

	private final FaultyProxy network = FaultyProxy.to(server.port());

	private final RedisClient remote = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private RedisThrottleStore store;

	private ThrottlingManager manager;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		healthy = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(5)).build();
	}

	@BeforeEach
	void connect() {
		this.remote.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.store = RedisThrottleStore.builder(this.remote)
			.timeout(Duration.ofMillis(400))
			.lease(Duration.ofMinutes(5))
			.build();
		this.manager = ThrottlingManager.builder().store(this.store).build();
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
		healthy.close();
		client.shutdown();
		server.close();
	}

	static Stream<Limit> limits() {
		return Stream.of(Limit.mutex(), Limit.semaphore(3), Limit.slidingLog(3, LONG), Limit.fixedWindow(3, LONG),
				Limit.slidingWindow(3, LONG, 3), Limit.tokenBucket(3, 3, LONG),
				Limit.dynamicWindow(99, 1, 99, LONG, 3));
	}

	private Throttle throttle(ThrottlingManager manager, Limit limit) {
		Throttle throttle = manager.addOrUpdate("lost-" + limit.type(), limit);
		throttle.tryAcquire("warm");
		return throttle;
	}

	private Throttle elsewhere(Limit limit) {
		return throttle(ThrottlingManager.builder().store(healthy).build(), limit);
	}

	/** Has answers be lost, with the connection. */
	private void loseAnswers(Runnable calls) {
		this.network.swallowAnswers();
		calls.run();
		this.network.cut();
		this.network.repair();
	}

	@ParameterizedTest
	@MethodSource("limits")
	void grantOfACallThatWasNotHeardIsUndone(Limit limit) {
		Throttle throttle = throttle(this.manager, limit);
		Throttle elsewhere = elsewhere(limit);

		loseAnswers(() -> {
			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			assertThat(elsewhere.state("k").used()).isOne();
		});

		await().atMost(Duration.ofSeconds(5)).until(() -> elsewhere.state("k").used() == 0);
	}

	@ParameterizedTest
	@MethodSource("limits")
	void grantOfACallThatMightHaveWaitedIsUndone(Limit limit) {
		Throttle throttle = throttle(this.manager, limit);
		Throttle elsewhere = elsewhere(limit);

		loseAnswers(() -> {
			CompletableFuture<Permit> first = throttle.acquire("w", 1, LONG);
			CompletableFuture<Permit> second = throttle.acquire("w", 1, LONG);
			await().until(() -> first.isDone() && second.isDone());
		});

		await().atMost(Duration.ofSeconds(5))
			.until(() -> elsewhere.state("w").used() == 0 && elsewhere.state("w").waiting() == 0);
	}

	/** The first in line is served while its node hears nothing. */
	@Tag("full")
	@Test
	void waiterOfAGrantThatWasNotHeardKeepsItsPlace() {
		Limit limit = Limit.slidingLog(1, Duration.ofSeconds(4));
		Throttle elsewhere = elsewhere(limit);
		Throttle throttle = throttle(this.manager, limit);
		List<Integer> order = new CopyOnWriteArrayList<>();
		assertThat(elsewhere.tryAcquire("line").admitted()).isTrue();
		for (int number = 0; number < 4; number++) {
			int place = number;
			Throttle caller = (number % 3 == 0) ? throttle : elsewhere;
			caller.acquire("line", 1, LONG.multipliedBy(9)).thenRun(() -> order.add(place));
			await().until(() -> elsewhere.state("line").waiting() == place + 1);
		}

		loseAnswers(() -> await().until(() -> elsewhere.state("line").waiting() == 3));

		await().atMost(Duration.ofSeconds(30)).until(() -> !order.isEmpty());
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			elsewhere.forget("line");
			return order.size() == 4;
		});
		assertThat(order).containsExactly(0, 1, 2, 3);
	}

	static Stream<Limit> mutexAndBucket() {
		return Stream.of(Limit.mutex(), Limit.tokenBucket(3, 3, LONG));
	}

	@ParameterizedTest
	@MethodSource("mutexAndBucket")
	void callThatIsRunAfterItsConnectionWasGivenUpIsUndone(Limit limit) {
		Throttle throttle = throttle(this.manager, limit);
		Throttle elsewhere = elsewhere(limit);

		this.network.delay(Duration.ofMillis(800));
		assertThat(throttle.tryAcquire("late").reason()).isEqualTo(Decision.Reason.STORE);
		this.network.hangUp();
		this.network.repair();

		await().pollDelay(Duration.ofSeconds(1))
			.atMost(Duration.ofSeconds(5))
			.until(() -> elsewhere.state("late").used() == 0);
	}

	@Test
	void entryOfAnOwnerThatWasNotHeardIsUndoneAndTheOthersStay() {
		Throttle mutex = throttle(this.manager, Limit.mutex());
		Throttle elsewhere = elsewhere(Limit.mutex());
		AcquireRequest request = AcquireRequest.of("lost-mutex", "owned").owner("me").maxWait(Duration.ZERO);
		Permit first = this.manager.tryAcquire(request).permit();

		loseAnswers(() -> assertThat(this.manager.tryAcquire(request).reason()).isEqualTo(Decision.Reason.STORE));
		await().until(() -> mutex.tryAcquire("warm2").reason() != Decision.Reason.STORE);
		assertThat(elsewhere.state("owned").used()).isOne();
		await().until(() -> {
			Decision again = this.manager.tryAcquire(request);
			if (again.admitted()) {
				again.permit().close();
			}
			return again.admitted();
		});
		first.close();

		await().atMost(Duration.ofSeconds(5)).until(() -> elsewhere.state("owned").used() == 0);
	}

	@Test
	void permitThatIsClosedWhileThereIsNoConnectionIsFreeWhenThereIsOne() {
		Throttle mutex = throttle(this.manager, Limit.mutex());
		Throttle elsewhere = elsewhere(Limit.mutex());
		Permit permit = mutex.tryAcquire("closed").permit();

		this.network.cut();
		await().until(() -> this.store.snapshot().unavailable());
		permit.close();
		assertThat(elsewhere.tryAcquire("closed").admitted()).isFalse();
		this.network.repair();

		await().until(() -> elsewhere.tryAcquire("closed").admitted());
	}

}
