package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Places in line that belong to no call of their node, which lives: their release has
 * expired, or a fail-over has lost it.
 */
class RedisUnknownPlaceTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration SHORT_LEASE = Duration.ofSeconds(1);

	private static final Duration LONG_LEASE = Duration.ofHours(1);

	private static final int LIMIT = 5;

	private static final String STATE = "sluice:{quotes:k}";

	private static final String SHARED_STATE = "sluice:{quotes}{k}";

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final StatefulRedisConnection<String, String> connection = this.client.connect();

	private final RedisCommands<String, String> redis = this.connection.sync();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	static List<Limit> limits() {
		return List.of(Limit.slidingLog(LIMIT, LONG), Limit.fixedWindow(LIMIT, LONG),
				Limit.dynamicWindow(LIMIT, LIMIT, LIMIT, LONG, 3), Limit.tokenBucket(LIMIT, LIMIT, LONG),
				Limit.semaphore(LIMIT));
	}

	@AfterEach
	void stop() {
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.server.close();
	}

	private Throttle node(Limit limit, Duration lease) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(5))
			.lease(lease)
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build().addOrUpdate("quotes", limit);
	}

	/** The first place is for more permits than there are, the next one is not. */
	@ParameterizedTest
	@MethodSource("limits")
	void placeBeforeACallOfItsNodeIsRemoved(Limit limit) throws Exception {
		String line = lineOf(limit);
		Throttle node = node(limit, SHORT_LEASE);
		take(node, LIMIT);
		CompletableFuture<Permit> waiter = node.acquire("k", LIMIT, LONG.multipliedBy(3));
		await().until(() -> this.redis.zcard(line) == 1);
		String member = this.redis.zrange(line, 0, 0).get(0);
		this.redis.zadd(line, 1, unknown(member));

		await().atMost(Duration.ofSeconds(20)).until(() -> this.redis.zrange(line, 0, -1).equals(List.of(member)));
		assertThat(waiter).isNotDone();
	}

	/** The node of the first place hears of it from the node of the call behind. */
	@ParameterizedTest
	@MethodSource("limits")
	void placeOfANodeWithoutCallsIsRemoved(Limit limit) throws Exception {
		String line = lineOf(limit);
		Throttle other = node(limit, LONG_LEASE);
		Throttle node = node(limit, SHORT_LEASE);
		take(node, LIMIT);
		CompletableFuture<Permit> gone = other.acquire("k", 1, LONG.multipliedBy(3));
		await().until(() -> this.redis.zcard(line) == 1);
		String place = unknown(this.redis.zrange(line, 0, 0).get(0));
		this.redis.zadd(line, 1, place);
		gone.cancel(false);
		await().until(() -> this.redis.zrange(line, 0, -1).size() <= 1);
		this.redis.zadd(line, 1, place);
		CompletableFuture<Permit> waiter = node.acquire("k", LIMIT, LONG.multipliedBy(3));

		await().atMost(Duration.ofSeconds(20))
			.until(() -> this.redis.zcard(line) == 1 && this.redis.zscore(line, place) == null);
		assertThat(waiter).isNotDone();
	}

	@Test
	void callBehindAPlaceOfItsNodeIsServed() throws Exception {
		Throttle node = node(Limit.slidingLog(LIMIT, LONG), SHORT_LEASE);
		take(node, LIMIT - 1);
		CompletableFuture<Permit> first = node.acquire("k", LIMIT, LONG.multipliedBy(3));
		await().until(() -> this.redis.zcard(STATE + ":line") == 1);
		CompletableFuture<Permit> second = node.acquire("k", 1, LONG.multipliedBy(3));
		await().until(() -> this.redis.zcard(STATE + ":line") == 2);
		this.redis.zadd(STATE + ":line", 1, unknown(this.redis.zrange(STATE + ":line", 0, 0).get(0)));
		first.cancel(false);

		second.get(20, TimeUnit.SECONDS).close();
	}

	private static String lineOf(Limit limit) {
		boolean shared = limit.type().equals("dynamic-window");
		return (shared ? SHARED_STATE : STATE) + ":line";
	}

	private static void take(Throttle node, int permits) {
		for (int i = 0; i < permits; i++) {
			assertThat(node.tryAcquire("k").admitted()).isTrue();
		}
	}

	/** Returns a member of the same node that belongs to no call. */
	private static String unknown(String member) {
		String node = member.substring(0, member.indexOf('.'));
		boolean owned = member.chars().filter((each) -> each == '.').count() > 2;
		return node + ".999." + LIMIT + (owned ? "." + node + "-999" : "");
	}

}
