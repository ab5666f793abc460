package dev.sluice.redis.bus;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.bus.BusListener;
import dev.sluice.bus.BusState;
import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Nodes over a server that is lost, forgets, or does not answer. */
@Timeout(60)
class RedisClusterBusTests {

	private static final HistoryLimits LIMITS = new HistoryLimits(10, Duration.ofMinutes(1));

	/** History, position and interest of the name. */
	private static final String[] KEYS = new BusNames("bus:").published(BusNode.NAME);

	private final RecordedFrames frames = new RecordedFrames();

	private final AtomicInteger interrupted = new AtomicInteger();

	/** Run by the listener. */
	private volatile Runnable taking = () -> {
	};

	private RedisServer server;

	private FaultyProxy proxy;

	private RedisClient client;

	private RedisClient far;

	private ClusterBus near;

	private ClusterBus node;

	@BeforeEach
	void start() {
		this.server = RedisServer.start();
		this.proxy = FaultyProxy.to(this.server.port());
		this.client = this.server.client();
		this.far = RedisClient.create("redis://127.0.0.1:" + this.proxy.port());
		this.near = BusNode.connect(this.client);
		this.node = BusNode.connect(this.far);
		this.near.start(new RecordedFrames());
		this.node.start(new BusListener() {

			@Override
			public void received(String frame) {
				RedisClusterBusTests.this.frames.received(frame);
				RedisClusterBusTests.this.taking.run();
			}

			@Override
			public void published(String name, TopicEntry entry, @Nullable Position before) {
				RedisClusterBusTests.this.frames.published(name, entry, before);
			}

			@Override
			public void interrupted() {
				RedisClusterBusTests.this.interrupted.incrementAndGet();
			}

		});
		await().until(() -> this.interrupted.get() > 0 && this.near.nodes().contains(this.node.node()));
		this.node.join(BusNode.NAME).join();
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.repair();
		this.node.close();
		this.near.close();
		this.far.shutdown(0, 1, TimeUnit.SECONDS);
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.proxy.close();
		this.server.close();
	}

	@Test
	void aConnectionThatIsLostCostsMessagesOfWhichTheNodeIsTold() {
		int before = this.interrupted.get();
		this.proxy.cut();
		publish("missed");
		this.proxy.repair();
		await().until(() -> this.interrupted.get() > before);
		Published heard = publish("heard");
		assertThat(heard.nodes()).containsExactly(this.node.node());
		await().untilAsserted(() -> assertThat(this.frames.messages()).extracting((message) -> message.entry().at())
			.contains(heard.at()));
	}

	@Test
	void whoSendsToANodeKnowsThatNobodyHasHeard() {
		assertThat(this.near.send(this.node.node(), "heard").join()).isTrue();
		this.proxy.cut();
		await().until(() -> !this.near.send(this.node.node(), "missed").join());
	}

	@Test
	@Tag("full")
	void aNodeThatIsCutOffForLongerThanItsLeaseIsGoneAndComesBack() {
		this.proxy.cut();
		await().atMost(BusNode.LEASE.plusSeconds(1)).until(() -> !this.near.nodes().contains(this.node.node()));
		await().untilAsserted(() -> assertThat(publish("nobody").nodes()).as("its lease is over").isEmpty());
		await().until(() -> this.node.nodes().isEmpty());
		int before = this.interrupted.get();
		this.proxy.repair();
		await().until(() -> publish("again").nodes().contains(this.node.node()));
		await().until(() -> this.interrupted.get() > before && this.near.nodes().contains(this.node.node()));
	}

	@Test
	void aServerThatHasForgottenAllIsToldAgain() {
		Position old = publish("old").at();
		this.server.kill();
		this.server.restart();
		await().ignoreExceptions().until(() -> publish("new").nodes().contains(this.node.node()));
		assertThat(this.node.read(BusNode.NAME, old).join().entries()).extracting(TopicEntry::at).doesNotContain(old);
	}

	@Test
	void aTailThatIsLostIsSeenThoughNumbersAreTheSame() {
		Position first = publish("first").at();
		Position lost = publish("lost").at();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().rpop(KEYS[0]);
			connection.sync().set(KEYS[1], first.toString());
		}
		Position other = publish("other").at();
		assertThat(other.offset()).isEqualTo(lost.offset());
		await().until(() -> this.frames.messages().size() == 3);
		assertThat(this.frames.messages().get(2).before()).isEqualTo(first).isNotEqualTo(lost);
		assertThat(this.node.read(BusNode.NAME, lost).join().entries()).extracting(TopicEntry::at)
			.containsExactly(first, other);
	}

	@Test
	@Tag("full")
	void aPublicationWithoutAnAnswerIsUndecidedAndRepeatedOnce() {
		Publication publication = publication("once");
		this.proxy.swallowAnswers();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> this.node.publish(publication).join())
			.havingCause()
			.isInstanceOfSatisfying(BusUnavailableException.class,
					(failure) -> assertThat(failure.isUndecided()).isTrue());
		this.proxy.cut();
		this.proxy.repair();
		await().ignoreExceptions().until(() -> this.node.publish(publication.again()).join().at().offset() == 1);
		assertThat(this.near.read(BusNode.NAME, null).join().entries()).hasSize(1);
	}

	@Test
	void withoutAConnectionNothingIsDone() {
		this.proxy.cut();
		await().untilAsserted(() -> assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> this.node.broadcast("frame").join())
			.havingCause()
			.isInstanceOfSatisfying(BusUnavailableException.class,
					(failure) -> assertThat(failure.isUndecided()).isFalse()));
	}

	@Test
	@Tag("full")
	void aSubscriptionThatIsSilentIsOpenedAnew() {
		int before = this.interrupted.get();
		this.proxy.silenceSubscriptions();
		publish("missed");
		await().until(() -> this.interrupted.get() > before);
		Position heard = publish("heard").at();
		await().untilAsserted(
				() -> assertThat(this.frames.messages()).extracting((message) -> message.entry().at()).contains(heard));
	}

	@Test
	@Tag("full")
	void connectionsOnWhichNothingIsAnsweredAreOpenedAnew() {
		int before = this.interrupted.get();
		this.proxy.silence();
		await().until(() -> this.interrupted.get() > before);
		await().until(() -> publish("heard").nodes().contains(this.node.node()));
		assertThat(this.node.read(BusNode.NAME, null)).succeedsWithin(Duration.ofSeconds(10));
	}

	@Test
	@Tag("full")
	void namesThatAServerHasForgottenAreJoinedAgainWithTheConnection() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().del(KEYS[2]);
		}
		assertThat(publish("missed").nodes()).isEmpty();
		int before = this.interrupted.get();
		this.proxy.hangUp();
		await().until(() -> publish("heard").nodes().contains(this.node.node()));
		await().until(() -> this.interrupted.get() > before);
	}

	@Test
	void aServerThatWasEmptiedIsToldAgain() {
		int before = this.interrupted.get();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().flushall();
		}
		await().until(() -> publish("heard").nodes().contains(this.node.node()));
		await().until(() -> this.interrupted.get() > before);
	}

	@Test
	void messagesArriveInOrderThoughTheServerKnowsNoScript() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().scriptFlush();
		}
		ClusterBus sender = BusNode.connect(this.client);
		try {
			sender.start(new RecordedFrames());
			sender.broadcast("0");
			sender.send(this.node.node(), "1");
			sender.route(BusNode.NAME, "2");
			sender.send(this.node.node(), "3");
			await().until(() -> this.frames.frames().size() == 4);
			assertThat(this.frames.frames()).containsExactly("0", "1", "2", "3");
		}
		finally {
			sender.close();
		}
	}

	@Test
	@Tag("full")
	void theListenerIsCalledByOneThreadAtATime() throws InterruptedException {
		CountDownLatch taken = new CountDownLatch(1);
		AtomicInteger overlapped = new AtomicInteger();
		int before = this.interrupted.get();
		this.taking = () -> {
			taken.countDown();
			long start = System.nanoTime();
			while (this.interrupted.get() == before && System.nanoTime() - start < BusNode.BEAT.toNanos() * 2) {
				Thread.onSpinWait();
			}
			overlapped.set(this.interrupted.get() - before);
		};
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			this.near.send(this.node.node(), "slow");
			taken.await();
			connection.sync().flushall();
		}
		await().until(() -> this.interrupted.get() > before);
		assertThat(overlapped).hasValue(0);
	}

	@Test
	void subscriptionsAreAsManyHoweverManyNamesAreJoined() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			List<String> before = connection.sync().pubsubChannels();
			for (int name = 0; name < 200; name++) {
				this.near.join("t:topic-" + name).join();
			}
			assertThat(connection.sync().pubsubChannels()).isNotEmpty().containsExactlyInAnyOrderElementsOf(before);
		}
	}

	@Test
	void aPrincipalCostsLittle() {
		this.near.occupy("u:principal-0001", 1, Integer.MAX_VALUE).join();
		this.node.occupy("u:principal-0001", 1, Integer.MAX_VALUE).join();
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			assertThat(connection.sync().keys("*principal*")).hasSize(1);
			assertThat(connection.sync().memoryUsage(new BusNames("bus:").joined("u:principal-0001")[0]))
				.isLessThanOrEqualTo(150);
		}
	}

	@Test
	void namesNeverShareAKey() {
		for (String name : List.of("a", "a:top", "a:in", "a}:top", "{a", "nodes", "all")) {
			Publication publication = new Publication(name, "id", "payload", LIMITS, false);
			assertThat(this.near.join(name).join()).extracting(Position::offset).isEqualTo(0L);
			assertThat(this.near.publish(publication).join().at().offset()).isEqualTo(1);
			assertThat(this.near.read(name, null).join().entries()).hasSize(1);
		}
	}

	@Test
	@Tag("full")
	void aNameIsKnownForAsLongAsItIsJoined() {
		Duration kept = Duration.ofMillis(1500);
		ClusterBus bus = RedisClusterBus.builder(this.client)
			.keyPrefix("kept:")
			.lease(Duration.ofSeconds(1))
			.beat(Duration.ofMillis(100))
			.build(kept);
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			RecordedFrames heard = new RecordedFrames();
			bus.start(heard);
			bus.join("quiet").join();
			HistoryLimits brief = new HistoryLimits(10, Duration.ofMillis(1));
			Position first = bus.publish(new Publication("quiet", "first", "payload", brief, false)).join().at();
			connection.sync().set("clock", "", SetArgs.Builder.px(kept.toMillis() + 400));
			await().until(() -> connection.sync().exists("clock") == 0);
			bus.publish(new Publication("quiet", "second", "payload", brief, false)).join();
			await().untilAsserted(() -> assertThat(heard.messages()).hasSize(2));
			assertThat(heard.messages().get(1).before()).isEqualTo(first);
		}
		finally {
			bus.close();
		}
	}

	@Test
	void whatIsNotAnsweredIsBoundedInNumber() {
		assertThat(admittedWhileNothingIsAnswered("")).isEqualTo(InFlight.MAX_COMMANDS);
	}

	@Test
	void whatIsNotAnsweredIsBoundedInLength() {
		assertThat(admittedWhileNothingIsAnswered("x".repeat(1 << 20))).isEqualTo(InFlight.MAX_LENGTH >> 20);
	}

	/** Asks a node that gives its answers all the time they may need. */
	private int admittedWhileNothingIsAnswered(String frame) {
		ClusterBus patient = RedisClusterBus.builder(this.client)
			.timeout(Duration.ofSeconds(50))
			.lease(Duration.ofMinutes(2))
			.beat(Duration.ofMinutes(1))
			.build();
		RecordedFrames received = new RecordedFrames();
		patient.start(received);
		try {
			patient.send(patient.node(), "ready").join();
			await().until(() -> received.frames().equals(List.of("ready")) && !patient.nodes().isEmpty());
			this.server.pause();
			return admitted(patient, frame);
		}
		finally {
			this.server.goOn();
			await().until(() -> !isRejected(patient.send("nobody", frame)));
			patient.close();
		}
	}

	private static int admitted(ClusterBus bus, String frame) {
		int admitted = 0;
		while (admitted < 20_000 && !isRejected(bus.send("nobody", frame))) {
			admitted++;
		}
		return admitted;
	}

	private static boolean isRejected(CompletableFuture<?> future) {
		return future.isCompletedExceptionally()
				&& future.handle((nothing, failure) -> failure).join() instanceof CompletionException wrapped
				&& wrapped.getCause() instanceof BusUnavailableException unavailable && !unavailable.isUndecided();
	}

	@Test
	@Tag("full")
	void anIdleNodeBeatsAndDoesNothingElse() {
		try (BusServer idle = new BusServer(RedisServer.start());
				ClusterBus bus = idle.connect();
				StatefulRedisConnection<String, String> connection = idle.client().connect()) {
			bus.start(new RecordedFrames());
			await().until(() -> bus.state() == BusState.UP && !bus.nodes().isEmpty());
			bus.join(BusNode.NAME).join();
			connection.sync().configResetstat();
			await().until(() -> calls(connection, "zadd") >= 6 * Partitions.COUNT);
			assertThat(calls(connection, "hset") + calls(connection, "get") + calls(connection, "lrange")).isZero();
			assertThat(calls(connection, "publish"))
				.isLessThanOrEqualTo(calls(connection, "zadd") / Partitions.COUNT + 1);
		}
	}

	@Test
	@Tag("full")
	void theStateTellsWhetherMessagesArriveAndCallsAreAnswered() {
		await().until(() -> this.node.state() == BusState.UP && this.near.state() == BusState.UP);
		this.proxy.swallowMessages();
		await().until(() -> this.node.state() == BusState.SILENT);
		this.proxy.repair();
		await().until(() -> this.node.state() == BusState.UP);
		this.proxy.cut();
		await().until(() -> this.node.state() == BusState.UNAVAILABLE);
		this.proxy.repair();
		await().until(() -> this.node.state() == BusState.UP);
		this.proxy.swallow();
		await().until(() -> this.node.state() == BusState.UNAVAILABLE);
		assertThat(this.near.state()).isEqualTo(BusState.UP);
	}

	@Test
	void whoIsPresentAtANodeThatLivesIsNotRemovedByOthers() {
		assertThat(presence(this.node).enter("ann", publication("comes")).join()).isNotNull();
		assertThat(presence(this.near).exit(this.node.node(), "ann", publication("goes")).join()).isNull();
		assertThat(presence(this.near).present(BusNode.NAME).join()).isEqualTo(Map.of("ann", Set.of(this.node.node())));
		this.proxy.cut();
		await().until(() -> presence(this.near).exit(this.node.node(), "ann", publication("goes")).join() != null);
		assertThat(presence(this.near).present(BusNode.NAME).join()).isEmpty();
	}

	@Test
	@Tag("full")
	void whoIsPresentIsKnownForAsLongAsNodesAreInterested() {
		ClusterBus expiring = RedisClusterBus.builder(this.client)
			.keyPrefix("bus:")
			.lease(Duration.ofMillis(1500))
			.beat(Duration.ofMillis(50))
			.build(Duration.ofMillis(1600));
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			expiring.start(new RecordedFrames());
			expiring.join("other").join();
			presence(expiring).enter("ann", new Publication("other", "1", "ann comes", LIMITS, false)).join();
			await().during(Duration.ofSeconds(2))
				.until(() -> presence(expiring).present("other").join().containsKey("ann"));
			expiring.leave("other").join();
			await().until(() -> connection.sync().exists(new BusNames("bus:").present("other")) == 0);
		}
		finally {
			expiring.close();
		}
	}

	private static long calls(StatefulRedisConnection<String, String> connection, String command) {
		return connection.sync()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_" + command + ":"))
			.mapToLong((line) -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+),.*", "$1")))
			.sum();
	}

	private Published publish(String id) {
		return this.near.publish(publication(id)).join();
	}

	private static Publication publication(String id) {
		return new Publication(BusNode.NAME, id, "payload", LIMITS, false);
	}

	private static PresenceRegistry presence(ClusterBus bus) {
		return Objects.requireNonNull(bus.presence());
	}

}
