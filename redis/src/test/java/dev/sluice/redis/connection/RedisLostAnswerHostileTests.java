package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A server that stops for so long that nodes give their connections up, and then runs
 * what was sent on those: nobody holds, and nobody has used, what nobody was told of.
 */
@Tag("hostile")
class RedisLostAnswerHostileTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final int NODES = 3;

	private static final List<Limit> LIMITS = List.of(Limit.mutex(), Limit.semaphore(9), Limit.slidingLog(9, LONG),
			Limit.fixedWindow(9, LONG), Limit.slidingWindow(9, LONG, 3), Limit.tokenBucket(9, 9, LONG),
			Limit.dynamicWindow(99, 1, 99, LONG, 3));

	@Test
	@Timeout(60)
	void pauseOfTheServerCostsNoPermits() {
		List<RedisThrottleStore> stores = new ArrayList<>();
		try (RedisServer server = RedisServer.start()) {
			RedisClient client = server.client();
			for (int i = 0; i < NODES; i++) {
				stores.add(RedisThrottleStore.builder(client).timeout(Duration.ofMillis(400)).build());
			}
			List<Throttle> throttles = stores.stream().flatMap(RedisLostAnswerHostileTests::throttles).toList();

			server.pause();
			for (Throttle throttle : throttles) {
				throttle.acquire("k", 1, Duration.ZERO);
				throttle.acquire("k", 1, LONG).cancel(false);
				assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			}
			await().pollDelay(Duration.ofSeconds(7)).until(() -> true);
			server.goOn();

			await().until(() -> stores.stream().noneMatch((store) -> store.snapshot().unavailable()));
			for (Throttle throttle : throttles) {
				await().atMost(Duration.ofSeconds(10))
					.untilAsserted(() -> assertThat(throttle.state("k").used()).as(throttle.resource()).isZero());
				assertThat(throttle.state("k").waiting()).as(throttle.resource()).isZero();
			}
			stores.forEach(RedisThrottleStore::close);
			client.shutdown();
		}
	}

	private static Stream<Throttle> throttles(RedisThrottleStore store) {
		ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
		return LIMITS.stream().map((limit) -> {
			Throttle throttle = manager.addOrUpdate("paused-" + limit.type(), limit);
			throttle.tryAcquire("warm");
			return throttle;
		});
	}

}
