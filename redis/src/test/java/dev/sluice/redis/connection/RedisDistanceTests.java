package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A healthy server that is far away. */
class RedisDistanceTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	@Test
	void roundTripMayTakeMoreThanHalfOfTheTimeThatAnAnswerMay() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		try (RedisServer server = RedisServer.start(); FaultyProxy network = FaultyProxy.to(server.port())) {
			RedisClient client = RedisClient.create("redis://127.0.0.1:" + network.port());
			client.setOptions(ClientOptions.builder().autoReconnect(false).build());
			try (RedisThrottleStore store = RedisThrottleStore.builder(client).timeout(TIMEOUT).build()) {
				Throttle throttle = ThrottlingManager.builder()
					.store(store)
					.build()
					.addOrUpdate("quotes", Limit.tokenBucket(1000, 1000, Duration.ofHours(1)));
				throttle.tryAcquire("k");
				network.distance(TIMEOUT.multipliedBy(3).dividedBy(10));
				throttle.tryAcquire("k");

				List<CompletableFuture<Decision>> decisions = new ArrayList<>();
				for (int i = 0; i < 20; i++) {
					decisions.add(CompletableFuture.supplyAsync(() -> throttle.tryAcquire("k"), callers));
					await().pollDelay(Duration.ofMillis(50)).until(() -> true);
				}

				assertThat(decisions).allMatch((decision) -> decision.join().admitted());
				assertThat(store.snapshot().failed()).isZero();
				network.repair();
			}
			client.shutdown();
		}
		finally {
			callers.shutdown();
		}
	}

}
