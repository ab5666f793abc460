package dev.sluice.redis.bus;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusState;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.redis.RedisCluster;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.bus.partition.ClusterTopology;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.test.cluster.RecordedFrames;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes over a cluster whose slots move, and whose masters come and go. */
@Timeout(300)
class RedisClusterSlotsTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final HistoryLimits LIMITS = new HistoryLimits(10_000, Duration.ofMinutes(5));

	private static BusCluster servers;

	private final AtomicInteger interrupted = new AtomicInteger();

	private final RecordedFrames frames = new RecordedFrames();

	private final AtomicInteger names = new AtomicInteger();

	private ClusterBus publisher;

	private ClusterBus member;

	private String name;

	@BeforeAll
	static void startServers(@TempDir Path directory) {
		servers = new BusCluster(RedisServer.installed().orElseGet(RedisServer::bundled), directory);
	}

	@AfterAll
	static void stopServers() {
		servers.close();
	}

	@BeforeEach
	void start() {
		this.publisher = servers.connect();
		this.member = servers.connect();
		this.publisher.start(new RecordedFrames());
		this.member.start(new BusListener() {

			@Override
			public void received(String frame) {
				RedisClusterSlotsTests.this.frames.received(frame);
			}

			@Override
			public void published(String name, TopicEntry entry, @Nullable Position before) {
				RedisClusterSlotsTests.this.frames.published(name, entry, before);
			}

			@Override
			public void interrupted() {
				RedisClusterSlotsTests.this.interrupted.incrementAndGet();
			}

		});
		this.name = "room-" + this.member.node();
		this.member.join(this.name).join();
		await().atMost(PATIENCE)
			.until(() -> this.publisher.nodes().contains(this.member.node()) && this.member.state() == BusState.UP);
	}

	@AfterEach
	void stop() {
		this.member.close();
		this.publisher.close();
	}

	private static RedisCluster cluster() {
		return servers.cluster();
	}

	private int slot() {
		return Partitions.slot(Partitions.of(this.name));
	}

	private int otherMaster() {
		return (cluster().masterOf(slot()) + 1) % 3;
	}

	private CompletableFuture<Published> publish(String id) {
		return this.publisher.publish(new Publication(this.name, id, "payload", LIMITS, false));
	}

	/** Waits until the member hears something that is published from now on. */
	private void awaitHeard() {
		Set<Position> again = new HashSet<>();
		await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).ignoreExceptions().until(() -> {
			again.add(publish("again" + this.names.incrementAndGet()).join().at());
			return heard().stream().anyMatch(again::contains);
		});
	}

	private List<Position> heard() {
		return this.frames.messages().stream().map((message) -> message.entry().at()).toList();
	}

	@Test
	@Tag("full")
	void aSlotThatMovesUnderLoadLosesNothingUntold() {
		List<CompletableFuture<Published>> published = new ArrayList<>();
		for (int index = 0; index < 300; index++) {
			published.add(publish("m" + index));
			if (index % 100 == 50) {
				int before = this.interrupted.get();
				cluster().move(slot(), otherMaster());
				await().atMost(PATIENCE).until(() -> this.interrupted.get() > before);
			}
		}
		assertThat(CompletableFuture.allOf(published.toArray(CompletableFuture[]::new))).succeedsWithin(PATIENCE);
		List<Position> all = published.stream().map((one) -> one.join().at()).toList();
		assertThat(all).extracting(Position::messageId)
			.isEqualTo(IntStream.range(0, 300).mapToObj((index) -> "m" + index).toList());
		assertThat(all).extracting(Position::offset).isSorted();
		assertThat(this.member.read(this.name, null).join().entries()).extracting(TopicEntry::at).isEqualTo(all);
		assertThat(heard()).doesNotHaveDuplicates().isSubsetOf(all);
		awaitHeard();
	}

	@Test
	void whatComesWhileASlotIsBeingMovedWaitsInItsOrder() {
		publish("first").join();
		cluster().beginToMove(slot(), otherMaster());
		String other = IntStream.iterate(0, (index) -> index + 1)
			.mapToObj((index) -> this.name + index)
			.filter((candidate) -> Partitions.of(candidate) == Partitions.of(this.name))
			.findFirst()
			.orElseThrow();
		List<CompletableFuture<Published>> published = IntStream.range(0, 20)
			.mapToObj((index) -> this.publisher.publish(new Publication(other, "m" + index, "payload", LIMITS, false)))
			.toList();
		CompletableFuture<Published> second = publish("second");
		assertThat(published.get(0)).isNotDone();
		cluster().move(slot(), otherMaster());
		assertThat(second).succeedsWithin(PATIENCE).satisfies((it) -> assertThat(it.at().offset()).isEqualTo(2));
		for (int index = 0; index < published.size(); index++) {
			assertThat(published.get(index).join().at()).isEqualTo(new Position(index + 1, "m" + index));
		}
		awaitHeard();
	}

	@Test
	@Tag("full")
	void aMasterThatIsAddedAndRemovedTakesPartMeanwhile() {
		publish("before").join();
		int old = cluster().masterOf(slot());
		int added = cluster().addMaster();
		cluster().move(slot(), added);
		awaitHeard();
		cluster().move(slot(), old);
		cluster().remove(added);
		awaitHeard();
		assertThat(this.member.read(this.name, null).join().entries()).extracting(TopicEntry::at)
			.extracting(Position::offset)
			.startsWith(1L)
			.isSorted();
		await().atMost(PATIENCE).until(() -> this.member.state() == BusState.UP);
	}

	@Test
	@Tag("full")
	void theTopologyIsReadSoonWhileAMasterIsPaused() {
		ClusterTopology topology = new ClusterTopology(servers.client());
		RedisServer paused = cluster().server(otherMaster());
		assertThat(topology.shards()).hasSize(3);
		try {
			paused.pause();
			assertThat(CompletableFuture.supplyAsync(topology::shards)).succeedsWithin(Duration.ofSeconds(30))
				.satisfies((shards) -> assertThat(shards).hasSize(3));
		}
		finally {
			paused.goOn();
			topology.close();
		}
		awaitHeard();
	}

	@Test
	void messagesOfANodeToAnotherGoThroughAllMasters() {
		for (int index = 0; index < 30; index++) {
			this.member.join("name" + index).join();
			assertThat(this.publisher.route("name" + index, "frame" + index).join())
				.containsExactly(this.member.node());
		}
		await().untilAsserted(() -> assertThat(this.frames.frames()).hasSize(30).doesNotHaveDuplicates());
	}

}
