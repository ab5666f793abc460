package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.StoreAccess;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Grants that a replica must confirm. */
@Execution(ExecutionMode.CONCURRENT)
class RedisReplicaTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Limit LIMIT = Limit.slidingLog(2, LONG);

	private final RedisServer master = RedisServer.start();

	private final RedisServer replica = RedisServer.startReplicaOf(this.master);

	private final RedisClient client = this.master.client();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	@BeforeEach
	void replicate() {
		RedisClient toReplica = this.replica.client();
		try (StatefulRedisConnection<String, String> connection = toReplica.connect()) {
			eventually().until(() -> connection.sync().info("replication").contains("master_link_status:up"));
		}
		finally {
			toReplica.shutdown();
		}
	}

	@AfterEach
	void close() {
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.replica.close();
		this.master.close();
	}

	private ThrottlingManager node(int waitReplicas) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(5))
			.waitReplicas(waitReplicas)
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofMinutes(1));
	}

	@Test
	void grantsThatAReplicaConfirmsCount() throws Exception {
		ThrottlingManager manager = node(1);
		Throttle rate = manager.addOrUpdate("quotes", LIMIT);
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());

		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		assertThat(rate.acquire("k", 1, Duration.ZERO).get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> next = mutex.acquire("k", 1, LONG);
		eventually().until(() -> mutex.state("k").waiting() == 1);
		permit.close();
		assertThat(next.get(60, TimeUnit.SECONDS).fencingToken().getAsLong())
			.isGreaterThan(permit.fencingToken().getAsLong());
	}

	@Test
	void nodeThatHasGrantsConfirmedWhileItIsClosedIsAliveNoMore() throws Exception {
		node(1);

		StoreAccess.close(this.stores.remove(0), StoreAccess::probe);

		try (StatefulRedisConnection<String, String> redis = this.client.connect()) {
			assertThat(redis.sync().zcard("sluice:nodes")).isZero();
		}
	}

	@Test
	void grantsThatNoReplicaConfirmsAreGivenBackAndThePolicyHolds() {
		ThrottlingManager manager = node(1);
		Throttle closed = manager.addOrUpdate("closed", LIMIT);
		Throttle open = manager.addOrUpdate("open", LIMIT,
				LimitOptions.builder().failurePolicy(FailurePolicy.OPEN).build());
		Throttle unconfirmed = node(0).addOrUpdate("closed", LIMIT);

		this.replica.pause();
		assertThat(closed.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		assertThat(open.tryAcquire("k").admitted()).isTrue();
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> closed.acquire("k", 1, LONG).get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(ThrottledException.class);
		assertThat(this.stores.get(0).snapshot().admitted()).containsEntry(FailurePolicy.OPEN, 1L);
		eventually().until(() -> unconfirmed.state("k").used() == 0);
		this.replica.goOn();

		eventually().until(() -> closed.tryAcquire("k").admitted());
	}

	@Test
	void replicaThatIsAwayCountsAsRedisBeingAwayUntilItIsBack() {
		Throttle throttle = node(1).addOrUpdate("quotes", Limit.slidingLog(100, LONG));

		this.replica.pause();
		for (int i = 0; i < 5; i++) {
			throttle.acquire("k", 1, Duration.ZERO);
		}
		eventually().until(() -> this.stores.get(0).snapshot().unavailable());
		await().during(Duration.ofSeconds(1)).until(() -> this.stores.get(0).snapshot().unavailable());
		this.replica.goOn();

		eventually().until(() -> !this.stores.get(0).snapshot().unavailable());
		eventually().until(() -> throttle.tryAcquire("k").admitted());
	}

	@Test
	void quorumIsOfTheReplicasThatThereAreOrWere() {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(2))
			.waitReplicaQuorum()
			.build();
		this.stores.add(store);
		Throttle throttle = ThrottlingManager.builder()
			.store(store)
			.build()
			.addOrUpdate("quorum", Limit.slidingLog(100, LONG));

		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		this.replica.close();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
	}

	@Test
	void quorumOfAMasterWithoutReplicasIsTheMaster() {
		try (RedisServer alone = RedisServer.start()) {
			RedisClient toAlone = alone.client();
			try (RedisThrottleStore store = RedisThrottleStore.builder(toAlone)
				.timeout(Duration.ofSeconds(5))
				.waitReplicaQuorum()
				.build()) {
				Throttle throttle = ThrottlingManager.builder().store(store).build().addOrUpdate("alone", LIMIT);

				assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			}
			toAlone.shutdown();
		}
	}

	@Test
	void moreReplicasThanThereAreConfirmNothing() {
		Throttle throttle = node(2).addOrUpdate("quotes", LIMIT);

		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
	}

	@Test
	void connectionToAskReplicasOnIsOpenedAgainAndClosedWithTheStore() {
		Throttle throttle = node(1).addOrUpdate("quotes", Limit.slidingLog(1_000, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().clientKill(KillArgs.Builder.id(asking(connection)));

			eventually().until(() -> throttle.tryAcquire("k").admitted());
			this.stores.remove(0).close();
			eventually().until(() -> clients(connection).count() == 1);
		}
	}

	private static long asking(StatefulRedisConnection<String, String> connection) {
		String id = clients(connection).filter((client) -> client.contains(" cmd=wait ")).findFirst().orElseThrow();
		return Long.parseLong(id.substring("id=".length(), id.indexOf(' ')));
	}

	private static Stream<String> clients(StatefulRedisConnection<String, String> connection) {
		return connection.sync().clientList().lines().filter((client) -> !client.contains(" flags=S "));
	}

	@Test
	void confirmationOfTooFewIsNone() {
		ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
		RedisConnections connections = new RedisConnections(Connector.of(this.client), Duration.ofMillis(200),
				Channels.NONE, (channel, message) -> {
				}, (subscribed) -> {
				});
		CommandSender commands = new CommandSender(connections, Duration.ofMillis(200), timer);
		KeyNames names = new KeyNames("sluice:");
		NodeRegistry registry = new NodeRegistry(
				new RedisNode("me", names, commands, timer, LONG, 1, new PendingReleases()));
		Replicas replicas = new Replicas(commands, registry, ReplicaCount.fixed(2));
		connections.needBlocking();
		connections.open();

		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> replicas.confirm().get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(StoreUnavailableException.class);
		connections.close();
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> replicas.confirm().get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(StoreUnavailableException.class);
		timer.shutdown();
	}

	@Test
	void clusterCannotBeAsked() {
		RedisClusterClient cluster = RedisClusterClient.create("redis://127.0.0.1:" + this.master.port());

		assertThatIllegalArgumentException().isThrownBy(() -> RedisThrottleStore.builder(cluster).waitReplicas(1))
			.withMessageContaining("min-replicas-to-write");
		assertThatIllegalArgumentException().isThrownBy(() -> RedisThrottleStore.builder(cluster).waitReplicaQuorum())
			.withMessageContaining("min-replicas-to-write");
		assertThatIllegalArgumentException().isThrownBy(() -> RedisThrottleStore.builder(cluster).waitReplicas(-1));
		cluster.shutdown();
	}

}
