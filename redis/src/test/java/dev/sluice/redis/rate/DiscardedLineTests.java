package dev.sluice.redis.rate;

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

/** A line that becomes idle, and is used again, while its command is being sent. */
class DiscardedLineTests {

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

	private final Definition definition = new Definition(0, Limit.slidingLog(1, LONG), LimitOptions.defaults());

	/** Number of times that the definition is read before "change" runs. */
	private final AtomicInteger reads = new AtomicInteger();

	private Runnable change = () -> {
	};

	private final RateRequests requests = new RateRequests(this.node, "quotes", this::definition);

	private final ActiveKeys<RateLine> lines = new ActiveKeys<>(
			(among, key) -> new RateLine(this.requests, new NodeCounts(), key));

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

	/** A check reads the definition for its command. */
	@Test
	void placeOfALaterCallRemainsInLine() {
		this.connections.open();
		this.requests.ask("take", "k", "1", "1", "0", "me-taken", "").join();
		RedisWaiter earlier = new RedisWaiter(AcquireRequest.of("quotes", "k"), "me.1.1");
		RedisWaiter later = new RedisWaiter(AcquireRequest.of("quotes", "k"), "me.2.1");
		RateLine line = this.lines.update("k", (joined) -> joined.add(earlier));
		this.change = () -> {
			line.remove(earlier);
			this.lines.discardIfIdle("k", line);
			this.lines.update("k", (joined) -> joined.add(later));
			this.requests.ask("enter", "k", later.member(), "-1", "10", this.node.leaseMicros(), "me-later", "").join();
		};
		this.reads.set(1);
		line.check();
		this.node.commands().send((redis) -> redis.ping()).join();
		this.node.commands().send((redis) -> redis.ping()).join();

		assertThat(this.lines.get("k")).isNotSameAs(line);
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			assertThat(connection.sync().zrange("sluice:{quotes:k}:line", 0, -1)).isEqualTo(List.of(later.member()));
		}
	}

}
