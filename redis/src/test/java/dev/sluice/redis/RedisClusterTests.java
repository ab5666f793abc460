package dev.sluice.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.cluster.RedisClusterClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A cluster of three masters, in which each key of a limit is somewhere. */
class RedisClusterTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static RedisCluster cluster;

	private static RedisClusterClient client;

	@BeforeAll
	static void start(@TempDir Path directory) {
		cluster = new RedisCluster(directory);
		client = cluster.client();
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		cluster.close();
	}

	private static RedisThrottleStore store() {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build();
	}

	@Test
	void keysAreLimitedWhereverTheyAre() {
		try (RedisThrottleStore store = store()) {
			ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
			for (Limit limit : List.of(Limit.slidingLog(2, LONG), Limit.slidingWindow(2, LONG, 3),
					Limit.tokenBucket(2, 1, LONG))) {
				Throttle throttle = manager.addOrUpdate(limit.type(), limit);
				for (int i = 0; i < 30; i++) {
					assertThat(throttle.tryAcquire("k" + i, 2).admitted()).isTrue();
					assertThat(throttle.tryAcquire("k" + i).reason()).isEqualTo(Decision.Reason.LIMIT);
				}
				assertThat(throttle.snapshot(5).keys()).isEqualTo(30);
				assertThat(throttle.snapshot(5).admitted()).isEqualTo(60);
				assertThat(manager.remove(limit.type())).isTrue();
				String states = "sluice:{" + limit.type() + ":*";
				assertThat(cluster.fromAll((redis) -> redis.keys(states))).allMatch(List::isEmpty);
			}
		}
	}

	@Test
	void keysMoveWhenTheyComeToShareACapacity() {
		try (RedisThrottleStore store = store()) {
			ThrottlingManager manager = ThrottlingManager.builder().store(store).build();
			Throttle throttle = manager.addOrUpdate("moving", Limit.slidingLog(2, LONG));
			for (int i = 0; i < 30; i++) {
				assertThat(throttle.tryAcquire("k" + i, 2).admitted()).isTrue();
			}

			manager.addOrUpdate("moving", Limit.dynamicWindow(62, 1, 2, LONG, 3));
			assertThat(throttle.tryAcquire("k7").admitted()).isFalse();
			assertThat(throttle.tryAcquire("new", 2).admitted()).isTrue();
			assertThat(throttle.tryAcquire("newer").admitted()).isFalse();
			assertThat(throttle.snapshot(1).keys()).isEqualTo(31);

			manager.addOrUpdate("moving", Limit.fixedWindow(3, LONG));
			assertThat(throttle.tryAcquire("k7", 2).admitted()).isFalse();
			assertThat(throttle.tryAcquire("k7").admitted()).isTrue();
			assertThat(throttle.snapshot(1).keys()).isEqualTo(31);
		}
	}

	@Test
	void changesAndLinesReachAllNodes() throws Exception {
		try (RedisThrottleStore store = store(); RedisThrottleStore other = store()) {
			Throttle throttle = ThrottlingManager.builder()
				.store(store)
				.build()
				.addOrUpdate("shared", Limit.slidingLog(1, LONG));
			ThrottlingManager otherManager = ThrottlingManager.builder().store(other).build();
			Throttle elsewhere = otherManager.addOrUpdate("shared", Limit.slidingLog(1, LONG));
			List<String> keys = Stream.of("a", "b", "c", "d", "e", "f").toList();
			keys.forEach((key) -> assertThat(throttle.tryAcquire(key).admitted()).isTrue());
			List<CompletableFuture<Permit>> waiting = keys.stream()
				.map((key) -> throttle.acquire(key, 1, LONG.multipliedBy(2)))
				.toList();
			await().until(() -> keys.stream().allMatch((key) -> elsewhere.state(key).waiting() == 1));

			otherManager.addOrUpdate("shared", Limit.slidingLog(2, LONG));

			for (CompletableFuture<Permit> call : waiting) {
				assertThat(call.get(60, TimeUnit.SECONDS)).isNotNull();
			}
		}
	}

}
