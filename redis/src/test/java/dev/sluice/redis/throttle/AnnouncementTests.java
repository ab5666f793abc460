package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.connection.Channels;
import dev.sluice.redis.connection.CommandSender;
import dev.sluice.redis.connection.Connector;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.PendingReleases;
import dev.sluice.redis.connection.RedisConnections;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.rate.RedisRateThrottle;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Limits whose definition Redis has not accepted, as it could not be reached. */
class AnnouncementTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final LimitOptions OPTIONS = LimitOptions.defaults();

	private static final Limit OWN = Limit.slidingLog(1, Duration.ofHours(1));

	private static final Limit CHANGED = Limit.slidingLog(2, Duration.ofHours(1));

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	private final RedisConnections connections = new RedisConnections(Connector.of(this.client), TIMEOUT, Channels.NONE,
			(channel, message) -> {
			}, (subscribed) -> {
			});

	private final RedisNode node = new RedisNode("me", new KeyNames("sluice:"),
			new CommandSender(this.connections, TIMEOUT, this.timer), this.timer, TIMEOUT, 1, new PendingReleases());

	@AfterEach
	void stop() {
		this.timer.shutdownNow();
		this.connections.close();
		this.client.shutdown();
		this.server.close();
	}

	@Test
	void renewalDoesNotUndoAChange() {
		this.connections.open();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			for (int i = 0; i < 40; i++) {
				String name = "limit-" + i;
				RedisRateThrottle throttle = new RedisRateThrottle(this.node, name, new Definition(0, OWN, OPTIONS));
				AtomicBoolean changed = new AtomicBoolean();
				CompletableFuture<Void> renewing = CompletableFuture.runAsync(() -> {
					while (!changed.get()) {
						for (int n = 0; n < 20; n++) {
							throttle.renew();
						}
						this.node.commands().send((redis) -> redis.ping()).join();
					}
				});

				assertThat(throttle.change(CHANGED, OPTIONS)).isTrue();
				changed.set(true);
				renewing.join();

				assertThat(connection.sync().get("sluice:limit:" + name)).endsWith(Definition.terms(CHANGED, OPTIONS));
				assertThat(throttle.limit()).isEqualTo(CHANGED);
			}
		}
	}

}
