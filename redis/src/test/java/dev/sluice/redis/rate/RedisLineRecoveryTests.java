package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Lines of several nodes during and after a time in which Redis does not write. */
class RedisLineRecoveryTests {

	private static final Duration PAUSE = Duration.ofSeconds(2);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	@AfterEach
	void stop() {
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.server.close();
	}

	private Throttle node(Limit limit) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(1))
			.lease(Duration.ofMinutes(2))
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build().addOrUpdate("quotes", limit);
	}

	private void pauseWrites(Duration time) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync()
				.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8),
						new CommandArgs<>(StringCodec.UTF8).add("PAUSE").add(time.toMillis()).add("WRITE"));
		}
	}

	/**
	 * The lease is so long that a line which is continued only by a heartbeat, three
	 * times a lease, does not end in time.
	 */
	@Test
	void lineContinuesInItsOrderSoonAfterWritesWerePaused() throws Exception {
		Limit limit = Limit.slidingLog(1, Duration.ofMillis(500));
		List<Throttle> nodes = List.of(node(limit), node(limit), node(limit));
		List<Integer> order = new CopyOnWriteArrayList<>();
		assertThat(nodes.get(0).tryAcquire("k").admitted()).isTrue();
		List<CompletableFuture<Permit>> waiting = new ArrayList<>();
		for (int number = 0; number < 6; number++) {
			waiting.add(enter(nodes.get(Math.max(0, number - 3)), number, order));
		}
		pauseWrites(PAUSE);
		await().atMost(Duration.ofSeconds(15)).until(() -> order.size() == 6);
		assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
	}

	@Test
	void holdersAndWaitersOfAMutexContinueSoonAfterWritesWerePaused() throws Exception {
		List<Throttle> nodes = List.of(node(Limit.mutex()), node(Limit.mutex()));
		List<Integer> order = new CopyOnWriteArrayList<>();
		Permit first = nodes.get(0).tryAcquire("k").permit();
		CompletableFuture<Permit> second = enter(nodes.get(1), 1, order);
		CompletableFuture<Permit> third = enter(nodes.get(0), 2, order);
		pauseWrites(PAUSE);
		first.close();
		second.get(15, TimeUnit.SECONDS).close();
		third.get(15, TimeUnit.SECONDS).close();
		assertThat(order).containsExactly(1, 2);
		await().atMost(Duration.ofSeconds(15)).until(() -> nodes.get(0).state("k").used() == 0);
	}

	/** The server keeps connections, so nothing but the retry reveals that it writes. */
	@Test
	void waiterThatCannotEnterTheLineAgainIsRetried() {
		Throttle node = node(Limit.slidingLog(1, Duration.ofDays(1)));
		assertThat(node.tryAcquire("k").admitted()).isTrue();
		node.acquire("k", 1, Duration.ofDays(2));
		await().until(() -> node.state("k").waiting() == 1);
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			RedisCommands<String, String> redis = connection.sync();
			redis.configResetstat();
			redis.configSet("maxmemory", "1");
			redis.del("sluice:{quotes:k}:line");
			redis.clientKill(KillArgs.Builder.typePubsub());
			await().until(() -> redis.info("errorstats").contains("errorstat"));
			redis.configSet("maxmemory", "0");
		}

		await().atMost(Duration.ofSeconds(15)).until(() -> node.state("k").waiting() == 1);
	}

	private static CompletableFuture<Permit> enter(Throttle node, int number, List<Integer> order) {
		long before = node.state("k").waiting();
		CompletableFuture<Permit> call = node.acquire("k", 1, Duration.ofMinutes(5));
		call.thenRun(() -> order.add(number));
		await().until(() -> call.isDone() || node.state("k").waiting() > before);
		return call;
	}

}
