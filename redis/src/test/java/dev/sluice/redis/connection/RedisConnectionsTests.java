package dev.sluice.redis.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/** Connections of a store whose client opens lost ones again, too. */
class RedisConnectionsTests {

	private final RedisServer server = RedisServer.start();

	private final FaultyProxy network = FaultyProxy.to(this.server.port());

	private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private final RedisClient observer = this.server.client();

	private final StatefulRedisConnection<String, String> connection = this.observer.connect();

	private final RedisThrottleStore store = RedisThrottleStore.builder(this.client)
		.timeout(Duration.ofSeconds(5))
		.build();

	private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

	@AfterEach
	void close() throws IOException {
		this.timer.shutdown();
		this.store.close();
		this.client.shutdown();
		this.connection.close();
		this.observer.shutdown();
		this.network.close();
		this.server.close();
	}

	@Test
	void lostConnectionsAreReplacedAndDoNotComeBack() throws Exception {
		Throttle mutex = ThrottlingManager.builder().store(this.store).build().addOrUpdate("order", Limit.mutex());

		this.network.cut();
		await().until(() -> this.store.snapshot().unavailable());
		await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		this.network.repair();
		await().until(() -> !this.store.snapshot().unavailable() && connections() == 2);

		await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(60)).until(() -> connections() == 2);
		Permit first = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> second = mutex.acquire("k", 1, Duration.ofDays(1));
		await().until(() -> mutex.state("k").waiting() == 1);
		first.close();
		assertThat(second.get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(mutex.tryAcquire("k").admitted()).isFalse();
	}

	/** As of a command that the client loses because its connection is being closed. */
	@Test
	void commandWithoutAReplyFailsWhenItsConnectionIsReplaced() {
		try (RedisConnections connections = new RedisConnections(Connector.of(this.client), Duration.ofSeconds(5),
				Channels.NONE, (channel, message) -> {
				}, (channels) -> {
				})) {
			connections.open();
			CommandSender commands = new CommandSender(connections, Duration.ofSeconds(5), this.timer);
			CompletableFuture<String> lost = commands.send((redis) -> new CompletableFuture<>());

			connections.drop().join();

			await().until(() -> {
				connections.watch();
				return connections.isOpen();
			});
			await().atMost(Duration.ofSeconds(10)).until(lost::isCompletedExceptionally);
			assertThat(lost.handle((reply, failure) -> RedisErrors.mayBeRun(failure)).join()).isTrue();
		}
	}

	/** As of a command that the client loses though its connection stays open. */
	@Test
	void connectionWithACommandWithoutAReplyIsReplaced() {
		Duration timeout = Duration.ofMillis(100);
		try (RedisConnections connections = new RedisConnections(Connector.of(this.client), timeout, Channels.NONE,
				(channel, message) -> {
				}, (channels) -> {
				})) {
			connections.open();
			Connector.Connection first = connections.commands();
			CommandSender commands = new CommandSender(connections, timeout, this.timer);
			long sentAt = System.nanoTime();
			CompletableFuture<String> lost = commands.send((redis) -> new CompletableFuture<>());
			assertThat(first.isSilentFor(0)).as("of a server that pauses").isFalse();
			await().until(() -> {
				commands.send((redis) -> redis.ping()).handle((reply, failure) -> reply).join();
				return first.isSilentFor(0);
			});

			await().atMost(Duration.ofSeconds(20)).until(() -> {
				connections.watch();
				return lost.isCompletedExceptionally() && connections.isOpen();
			});
			assertThat(Duration.ofNanos(System.nanoTime() - sentAt)).isGreaterThan(timeout.multipliedBy(10));
			assertThat(connections.commands()).isNotSameAs(first);
			assertThat(lost.handle((reply, failure) -> RedisErrors.mayBeRun(failure)).join()).isTrue();
		}
	}

	@Test
	void channelThatIsRejectedDoesNotKeepOthersFromBeingSubscribedTo() {
		RedisCommands<String, String> redis = this.connection.sync();
		redis.aclSetuser("reader",
				AclSetuserArgs.Builder.on().nopass().allCommands().resetChannels().channelPattern("permitted"));
		RedisURI server = RedisURI.builder()
			.withHost("127.0.0.1")
			.withPort(this.network.port())
			.withAuthentication("reader", "any")
			.build();
		Channels channels = new Channels(List.of(List.of("rejected"), List.of("permitted")), false);
		try (RedisConnections connections = new RedisConnections(Connector.of(this.client, server),
				Duration.ofSeconds(5), channels, (channel, message) -> {
				}, (subscribed) -> {
				})) {
			connections.open();

			assertThat(redis.pubsubNumsub("rejected", "permitted")).containsEntry("rejected", 0L)
				.containsEntry("permitted", 1L);
			assertThat(connections.failure()).hasMessageStartingWith("NOPERM");
			assertThat(connections.isConnected()).isTrue();
			assertThat(connections.isOpen()).isFalse();
		}
	}

	@Test
	void connectionsThatAreBeingOpenedWhenTheStoreIsClosedAreClosed() {
		this.network.cut();
		await().until(() -> this.store.snapshot().unavailable());
		this.server.pause();
		this.network.repair();
		await().pollDelay(Duration.ofSeconds(1)).until(() -> true);

		this.store.close();
		this.server.goOn();

		await().during(Duration.ofSeconds(2)).until(() -> connections() == 0);
	}

	@Test
	void serverThatHasBecomeAReplicaIsLeft() {
		Throttle throttle = ThrottlingManager.builder()
			.store(this.store)
			.build()
			.addOrUpdate("quotes", Limit.slidingLog(9, Duration.ofDays(1)));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		String before = channel("");

		try (RedisServer master = RedisServer.start()) {
			this.connection.sync().replicaof("127.0.0.1", master.port());

			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			await().until(() -> !channel(before).equals(before));
		}
	}

	@Test
	void limitThatHasBecomeAnotherKindMeanwhileWasRemoved() {
		Throttle throttle = ThrottlingManager.builder()
			.store(this.store)
			.build()
			.addOrUpdate("order", Limit.slidingLog(1, Duration.ofDays(1)));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		this.network.cut();
		await().until(() -> this.store.snapshot().unavailable());
		try (RedisThrottleStore other = RedisThrottleStore.builder(this.observer)
			.timeout(Duration.ofSeconds(10))
			.build()) {
			ThrottlingManager manager = ThrottlingManager.builder().store(other).build();
			manager.addOrUpdate("order", Limit.slidingLog(1, Duration.ofDays(1)));
			manager.remove("order");
			manager.addOrUpdate("order", Limit.mutex());

			this.network.repair();

			await().untilAsserted(() -> assertThatIllegalStateException().isThrownBy(() -> throttle.tryAcquire("k"))
				.withMessageContaining("was removed"));
		}
	}

	@Test
	void serverThatCannotWriteIsAwayUntilItCan() {
		Throttle throttle = ThrottlingManager.builder()
			.store(this.store)
			.build()
			.addOrUpdate("quotes", Limit.slidingLog(9, Duration.ofDays(1)));
		RedisCommands<String, String> redis = this.connection.sync();

		redis.configSet("maxmemory", "1");
		for (int i = 0; i < 5; i++) {
			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		}
		assertThat(this.store.snapshot().unavailable()).isTrue();
		redis.configSet("maxmemory", "0");

		await().until(() -> throttle.tryAcquire("k").admitted());
	}

	/**
	 * Returns which connection the store sends scripts on, or the one before, if none.
	 */
	private String channel(String before) {
		return clients().filter((line) -> line.contains(" cmd=eval"))
			.map((line) -> line.substring(0, line.indexOf(' ')))
			.findFirst()
			.orElse(before);
	}

	/** Returns how many connections the store has. */
	private long connections() {
		return clients().count() - 1;
	}

	private Stream<String> clients() {
		return this.connection.sync().clientList().lines();
	}

}
