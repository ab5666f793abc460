package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.SettableClock;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Windows whose keys share a capacity, over two nodes. */
class RedisDynamicWindowTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private static RedisServer server;

	private static RedisClient client;

	private static RedisThrottleStore store;

	private static RedisThrottleStore otherStore;

	private static ThrottlingManager node;

	private static ThrottlingManager otherNode;

	private static StatefulRedisConnection<String, String> connection;

	private static RedisCommands<String, String> redis;

	private final String name = "tenants-" + UUID.randomUUID();

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		store = store();
		otherStore = store();
		node = ThrottlingManager.builder().store(store).build();
		otherNode = ThrottlingManager.builder().store(otherStore).build();
		connection = client.connect();
		redis = connection.sync();
	}

	/** Starts a node that would not look by itself before a day has passed. */
	private static RedisThrottleStore store() {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).lease(LONG.multipliedBy(3)).build();
	}

	@AfterAll
	static void stop() {
		connection.close();
		store.close();
		otherStore.close();
		client.shutdown();
		server.close();
	}

	@ParameterizedTest
	@CsvSource({ "1,'20'", "2,'10,10'", "3,'7,7,6'", "4,'5,5,5,5'", "10,'2,2,2,2,2,2,2,2,2,2'" })
	void capacityIsSharedOutAgainAsKeysCome(int keys, String shares) {
		Limit limit = Limit.dynamicWindow(20, 2, 20, LONG, 6);
		Throttle[] nodes = { node.addOrUpdate(this.name, limit), otherNode.addOrUpdate(this.name, limit) };
		IntStream.range(0, keys).forEach((i) -> assertThat(nodes[i % 2].tryAcquire("k" + i).admitted()).isTrue());

		List<Integer> limits = IntStream.range(0, keys).mapToObj((i) -> nodes[0].state("k" + i).limit()).toList();

		assertThat(limits).extracting(String::valueOf).containsExactly(shares.split(","));
		for (int i = 0; i < keys; i++) {
			for (int used = 1; used < limits.get(i); used++) {
				assertThat(nodes[(i + 1) % 2].tryAcquire("k" + i).admitted()).isTrue();
			}
			assertThat(nodes[i % 2].tryAcquire("k" + i).admitted()).isFalse();
		}
		assertThat(nodes[0].tryAcquire("eleventh").admitted()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "20,2,20,60,6", "7,1,3,100,3", "100,10,60,50,5", "3,3,3,10,2", "40,2,10,30,20" })
	void decidesAsMemoryDoes(int capacity, int min, int max, int period, int buckets) {
		for (int seed = 0; seed < 20; seed++) {
			Random random = new Random(seed);
			SettableClock clock = new SettableClock(MINUTE * random.nextInt(1_000));
			Limit limit = Limit.dynamicWindow(capacity, min, max, Duration.ofMinutes(period), buckets);
			Throttle memory = ThrottlingManager.builder().clock(clock).build().addOrUpdate("rate", limit);
			RateScript imagined = new RateScript(redis, limit, "model-" + UUID.randomUUID());
			for (int i = 0; i < 200; i++) {
				imagined.setSeconds(clock.nanoTime() / 1_000_000_000);
				String key = "k" + random.nextInt(8);
				int permits = 1 + random.nextInt(random.nextBoolean() ? 1 : max);
				if (random.nextInt(40) == 0) {
					assertThat(imagined.ask("forget", key).get(0) == 1).isEqualTo(memory.forget(key));
				}
				long asked = imagined.take(key, permits);
				long wait = memory.tryAcquireNanos(key, permits);
				assertThat(1_000 * asked).as("call %s of seed %s", i, seed).isEqualTo(wait);
				List<Long> look = imagined.ask("look", key);
				assertThat(look.get(0)).isEqualTo(memory.state(key).used());
				assertThat(look.get(4)).isEqualTo(memory.state(key).limit());
				clock.advanceNanos(MINUTE * (random.nextInt(4) == 0 ? random.nextInt(period) : 0));
			}
		}
	}

	@Test
	void whatKeysUsedOfAnotherRateCountsTowardsTheCapacityAndTheLineStays() throws Exception {
		Throttle rate = node.addOrUpdate(this.name, Limit.slidingLog(10, LONG));
		Throttle elsewhere = otherNode.addOrUpdate(this.name, Limit.slidingLog(10, LONG));
		rate.tryAcquire("a", 10);
		rate.tryAcquire("b", 5);
		CompletableFuture<Permit> first = rate.acquire("a", 2, LONG.multipliedBy(9));
		await().until(() -> rate.state("a").waiting() == 1);
		CompletableFuture<Permit> second = elsewhere.acquire("a", 3, LONG.multipliedBy(9));
		await().until(() -> rate.state("a").waiting() == 2);

		node.addOrUpdate(this.name, Limit.dynamicWindow(20, 2, 20, LONG, 6));

		await().until(() -> rate.state("a").waiting() == 2);
		assertThat(rate.state("a").limit()).isEqualTo(10);
		assertThat(rate.state("b").used()).isEqualTo(5);
		assertThat(rate.tryAcquire("c", 5).admitted()).isTrue();
		assertThat(rate.tryAcquire("b").admitted()).isFalse();
		assertThat(redis.keys("sluice:{" + this.name + ":*}")).isNotEmpty()
			.allSatisfy((left) -> assertThat(redis.pttl(left)).isBetween(-2L, 10_000L));
		otherNode.addOrUpdate(this.name, Limit.fixedWindow(12, LONG));
		first.get(60, TimeUnit.SECONDS);
		assertThat(second).isNotDone();
		assertThat(rate.state("c").used()).isEqualTo(5);
		assertThat(redis.keys("sluice:{" + this.name + "}{*}")).isNotEmpty()
			.allSatisfy((left) -> assertThat(redis.pttl(left)).isBetween(-2L, 10_000L));
		rate.forget("a");
		second.get(60, TimeUnit.SECONDS);
	}

	@Test
	void nodeThatStartsWithAnotherKindBringsAlongWhatWasUsed() {
		node.addOrUpdate(this.name, Limit.dynamicWindow(20, 2, 20, LONG, 6)).tryAcquire("a", 4);
		try (RedisThrottleStore late = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build()) {
			Throttle throttle = ThrottlingManager.builder()
				.store(late)
				.build()
				.addOrUpdate(this.name, Limit.tokenBucket(6, 1, LONG));

			assertThat(throttle.tryAcquire("a", 3).admitted()).isFalse();
			assertThat(throttle.tryAcquire("a", 2).admitted()).isTrue();
		}
	}

	@Test
	void whatOneKeyGivesBackIsThereForTheLineOfAnother() throws Exception {
		Limit limit = Limit.dynamicWindow(20, 2, 20, LONG, 6);
		Throttle throttle = node.addOrUpdate(this.name, limit);
		Throttle elsewhere = otherNode.addOrUpdate(this.name, limit);
		throttle.tryAcquire("a", 10);
		throttle.tryAcquire("b", 10);
		CompletableFuture<Permit> first = elsewhere.acquire("c", 2, LONG.multipliedBy(2));
		await().until(() -> throttle.state("c").waiting() == 1);
		CompletableFuture<Permit> second = elsewhere.acquire("c", 6, LONG.multipliedBy(2));
		await().until(() -> throttle.state("c").waiting() == 2);

		throttle.forget("a");

		first.get(60, TimeUnit.SECONDS);
		second.get(60, TimeUnit.SECONDS);
	}

	@Test
	void activeKeyTakesAStatedNumberOfBytes() {
		Throttle throttle = node.addOrUpdate(this.name, Limit.dynamicWindow(1_000_000, 1, 1_000_000, LONG, 6));
		int keys = 1_000;
		for (int i = 0; i < keys; i++) {
			throttle.tryAcquire("tenant-" + i, 5);
		}

		String shared = "sluice:{" + this.name + "}";
		assertThat(redis.memoryUsage(shared + "{tenant-7}")).isLessThanOrEqualTo(100 + this.name.length());
		long sum = Stream.of(shared, shared + ":since", shared + ":ends").mapToLong(redis::memoryUsage).sum();
		assertThat(sum).isLessThanOrEqualTo(300L * keys);
		assertThat(throttle.snapshot(3).keys()).isEqualTo(keys);
		assertThat(redis.pttl(shared + ":since")).isPositive();
		node.remove(this.name);
		assertThat(redis.keys(shared + "*")).isEmpty();
	}

}
