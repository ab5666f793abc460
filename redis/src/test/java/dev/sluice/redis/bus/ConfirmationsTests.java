package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Publications that a replica must confirm. */
class ConfirmationsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	private final RedisServer master = RedisServer.start();

	private final FaultyProxy link = FaultyProxy.to(this.master.port());

	private final RedisServer replica = RedisServer.startReplicaOf(this.link.port());

	private final RedisClient client = this.master.client();

	private ClusterBus bus;

	@BeforeEach
	void replicate() {
		RedisClient toReplica = this.replica.client();
		try (StatefulRedisConnection<String, String> connection = toReplica.connect()) {
			await().atMost(Duration.ofMinutes(1))
				.until(() -> connection.sync().info("replication").contains("master_link_status:up"));
		}
		finally {
			toReplica.shutdown(0, 1, TimeUnit.SECONDS);
		}
		this.bus = connect(true);
	}

	private ClusterBus connect(boolean confirmed) {
		ClusterBus bus = RedisClusterBus.builder(this.client).timeout(TIMEOUT).confirmed(confirmed).build();
		bus.start(new RecordedFrames());
		return bus;
	}

	@AfterEach
	void close() throws Exception {
		this.bus.close();
		this.link.repair();
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.replica.close();
		this.link.close();
		this.master.close();
	}

	@Test
	void publicationThatAReplicaConfirmsHasSucceeded() {
		await().untilAsserted(() -> assertThat(this.bus.publish(publication("confirmed", 1))).succeedsWithin(TIMEOUT));
	}

	@Test
	@Tag("full")
	void publicationThatNoReplicaConfirmsInTimeMayHaveBeenPublishedAndIsNotDoubled() {
		Publication publication = publication("held", 1);
		this.link.hold();

		assertThatThrownBy(this.bus.publish(publication)::join).isInstanceOf(CompletionException.class)
			.cause()
			.isInstanceOfSatisfying(BusUnavailableException.class,
					(failure) -> assertThat(failure.isUndecided()).isTrue());

		this.link.repair();
		Published again = await().until(
				() -> this.bus.publish(publication.again()).exceptionally((failure) -> null).join(),
				(published) -> published != null);
		assertThat(this.bus.read("room", null).join().entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.at()).isEqualTo(again.at()));
	}

	@Test
	void busThatWasNotBuiltForItSaysSo() {
		try (ClusterBus other = connect(false)) {
			assertThatThrownBy(other.publish(publication("lost", 1))::join)
				.hasCauseInstanceOf(IllegalStateException.class)
				.hasMessageContaining("confirmed(true)");
			assertThat(other.publish(publication("taken", 0))).succeedsWithin(TIMEOUT);
		}
		RedisClusterClient cluster = RedisClusterClient.create("redis://127.0.0.1:" + this.master.port());
		assertThatIllegalArgumentException().isThrownBy(() -> RedisClusterBus.builder(cluster).confirmed(true))
			.withMessageContaining("cluster");
		cluster.shutdown(0, 1, TimeUnit.SECONDS);
	}

	private static Publication publication(String id, int replicas) {
		return new Publication("room", id, "payload", new HistoryLimits(10, Duration.ofMinutes(1), replicas), false);
	}

}
