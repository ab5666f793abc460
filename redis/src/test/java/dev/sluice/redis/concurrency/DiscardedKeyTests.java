package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.PendingReleases;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.throttle.ActiveKeys;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisWaiter;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.internal.failover.NodeCounts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A key that becomes idle, and is active again, while its command is being sent. */
class DiscardedKeyTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final RedisConnections connections = new RedisConnections(Connector.of(this.client), TIMEOUT, Channels.NONE,
			(channel, message) -> {
			}, (subscribed) -> {
			});

	private final RedisNode node = new RedisNode("me", new KeyNames("sluice:"),
			new CommandSender(this.connections, TIMEOUT, this.timer), this.timer, LONG, 1, new PendingReleases());

	private final Definition definition = new Definition(0, Limit.semaphore(1), LimitOptions.defaults());

	/** Number of times that the definition is read before "change" runs. */
	private final AtomicInteger reads = new AtomicInteger();

	private Runnable change = () -> {
	};

	private final ConcurrencyRequests requests = new ConcurrencyRequests(this.node, "quotes", this::definition);

	private final ActiveKeys<ConcurrencyKey> keys = new ActiveKeys<>(
			(among, key) -> new ConcurrencyKey(this.requests, new NodeCounts(), among, key));

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
		this.connections.close();
		this.client.shutdown();
		this.server.close();
	}

	private Definition definition() {
		if (this.reads.getAndDecrement() == 1) {
			this.change.run();
		}
		return this.definition;
	}

	/** A "keep" reads the definition for its lease, and for its command. */
	@Test
	void placeOfALaterCallRemainsInLine() {
		this.connections.open();
		this.requests.ask("take", "k", "holder", "1", "me-9").join();
		RedisWaiter earlier = new RedisWaiter(AcquireRequest.of("quotes", "k"), "me.1.1.me-1");
		RedisWaiter later = new RedisWaiter(AcquireRequest.of("quotes", "k"), "me.2.1.me-2");
		ConcurrencyKey key = this.keys.update("k", (held) -> held.add(earlier));
		this.change = () -> {
			key.remove(earlier);
			this.keys.update("k", (held) -> held.add(later));
			this.requests.ask("enter", "k", later.member(), "0").join();
		};
		this.reads.set(2);
		key.keep();
		this.node.commands().send((redis) -> redis.ping()).join();
		this.node.commands().send((redis) -> redis.ping()).join();

		assertThat(this.keys.get("k")).isNotSameAs(key);
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			assertThat(connection.sync().zrange("sluice:{quotes:k}:line", 0, -1)).isEqualTo(List.of(later.member()));
		}
	}

}
