package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Position;
import dev.sluice.bus.PresenceRegistry;
import dev.sluice.bus.Publication;
import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import dev.sluice.redis.RedisServer;
import dev.sluice.redis.bus.partition.BusChannels;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.test.trial.HostileValues;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Values in Redis that another program has written, and hostile names and texts: entries
 * behind an unreadable one are read, and all others read back equal on another node.
 */
class RedisUnreadableTests {

	private static final HistoryLimits LIMITS = new HistoryLimits(100, Duration.ofMinutes(5));

	private static final Logger LOGGER = Logger.getLogger(UnreadableEntries.class.getName());

	private static final BusNames NAMES = new BusNames("écluse:");

	private static BusServer server;

	private final List<ClusterBus> opened = new ArrayList<>();

	private final RecordedFrames received = new RecordedFrames();

	private final ClusterBus one = open(new RecordedFrames());

	private final ClusterBus other = open(this.received);

	private final String name = "t:" + UUID.randomUUID();

	/** Warnings and errors in the log. */
	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord line) {
			if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
				RedisUnreadableTests.this.lines.add(line.getMessage());
			}
		}

		@Override
		public void flush() {
			// nothing is kept
		}

		@Override
		public void close() {
			// nothing is open
		}

	};

	@BeforeEach
	void listen() {
		LOGGER.addHandler(this.handler);
	}

	@BeforeAll
	static void startServer() {
		server = new BusServer(RedisServer.start());
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	private ClusterBus open(RecordedFrames frames) {
		ClusterBus bus = server.connect();
		this.opened.add(bus);
		bus.start(frames);
		return bus;
	}

	@AfterEach
	void stop() {
		LOGGER.removeHandler(this.handler);
		this.opened.forEach(ClusterBus::close);
	}

	private static void redis(Consumer<RedisCommands<String, String>> action) {
		try (StatefulRedisConnection<String, String> connection = server.client().connect()) {
			action.accept(connection.sync());
		}
	}

	private Position publish(String text) {
		return this.one.publish(new Publication(this.name, this.one.node() + "." + text, text, LIMITS, false))
			.join()
			.at();
	}

	private List<String> payloads(TopicHistory history) {
		return history.entries().stream().map(TopicEntry::payload).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "x.y 1 2 z", "7", "7.", "7.a b 100 x", "\u0000" })
	void entriesBehindAnUnreadableOneAreRead(String garbage) {
		List<Position> at = List.of(publish("a"), publish("b"), publish("c"), publish("d"), publish("e"));
		redis((commands) -> {
			commands.lset(NAMES.published(this.name)[0], 1, garbage);
			commands.lset(NAMES.published(this.name)[0], 2, garbage);
		});

		TopicHistory all = this.other.read(this.name, null).join();
		assertThat(payloads(all)).containsExactly("a", "", "", "d", "e");
		assertThat(all.entries()).extracting((entry) -> entry.at().offset()).containsExactly(1L, 2L, 3L, 4L, 5L);
		assertThat(payloads(this.other.read(this.name, at.get(0)).join())).containsExactly("a", "", "", "d", "e");
		assertThat(payloads(this.other.read(this.name, at.get(0), 2).join())).startsWith("a", "", "");
		assertThat(payloads(this.other.read(this.name, at.get(3)).join())).containsExactly("d", "e");
		assertThat(publish("f").offset()).isEqualTo(6);
	}

	@Test
	void latestEntryThatIsUnreadableHasItsPlace() {
		publish("a");
		publish("b");
		redis((commands) -> commands.lset(NAMES.published(this.name)[0], -1, "garbage"));

		TopicHistory history = this.other.read(this.name, null).join();
		assertThat(payloads(history)).containsExactly("a", "");
		publish("c");
		assertThat(payloads(this.other.read(this.name, null).join())).containsExactly("a", "", "c");
	}

	@Test
	void addedEntriesAreSkipped() {
		publish("a");
		redis((commands) -> commands.rpush(NAMES.published(this.name)[0], "garbage", "more"));
		publish("b");

		assertThat(payloads(this.other.read(this.name, null).join())).containsExactly("a", "b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "7", "x.y", ".", "7.", "\u0000" })
	void unreadablePositionBeginsTheNameAnew(String garbage) {
		publish("a");
		this.other.join(this.name).join();
		redis((commands) -> commands.set(NAMES.published(this.name)[1], garbage));
		assertThat(payloads(this.other.read(this.name, null).join())).containsExactly("a");
		assertThat(this.other.join(this.name).join()).isNotNull().returns(0L, Position::offset);

		redis((commands) -> commands.set(NAMES.published(this.name)[1], garbage));
		Position at = publish("b");
		await().untilAsserted(() -> assertThat(this.received.messages()).extracting((message) -> message.entry())
			.containsExactly(new TopicEntry(at, "b")));
		assertThat(payloads(this.other.read(this.name, null).join())).containsExactly("a", "b");
		assertThat(lines()).isEmpty();
	}

	@Test
	void unreadableNumberOfPlacesTakesNone() {
		this.other.join(this.name).join();
		redis((commands) -> commands.hset(NAMES.joined(this.name)[0], this.other.node(), "garbage"));
		assertThat(this.one.occupy(this.name, 2, 2).join()).isTrue();
		assertThat(this.other.occupy(this.name, 1, 2).join()).isFalse();
	}

	@Test
	void messagesBehindAnUnreadableOneArriveAndTheLogIsBounded() {
		this.other.join(this.name).join();
		publish("a");
		for (String garbage : List.of("", "x", "f", "p", "p9 ", "p1 a7.b", "w", "w1", "wx y", "p99999999999 ",
				"\u0000")) {
			redis((commands) -> commands.publish(channel(this.other), garbage));
		}
		publish("b");

		await()
			.untilAsserted(() -> assertThat(this.received.messages()).extracting((message) -> message.entry().payload())
				.containsExactly("a", "b"));
		assertThat(lines()).singleElement().asString().startsWith("Messages from other nodes cannot be processed");
	}

	private static String channel(ClusterBus bus) {
		return new BusChannels("\u00e9cluse:", false).node(Partitions.of(bus.node()), bus.node());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "node x owner secret content", "node 9999999999999999999999 o s c", "?",
			"\u0000" })
	void unreadableRecordIsNoSession(String garbage) {
		String key = UUID.randomUUID().toString();
		redis((commands) -> commands.set(NAMES.session(key), garbage));
		assertThat(records(this.one).claim(new SessionClaim(key, "s", "ann", "t"), Duration.ofMinutes(1)).join())
			.isNull();
		SessionRecord record = new SessionRecord(key, this.one.node(), 1, List.of("s"), "ann", "content");
		assertThat(records(this.one).keep(record, Duration.ofMinutes(1)).join()).isTrue();
		assertThat(records(this.other).claim(new SessionClaim(key, "s", "ann", "t"), Duration.ofMinutes(1)).join())
			.isEqualTo(record);
		assertThat(lines()).singleElement().asString().startsWith("Records of sessions cannot be read");
	}

	@Test
	void recordWithoutTheSecretIsNotUnreadable() {
		String key = UUID.randomUUID().toString();
		SessionRecord record = new SessionRecord(key, this.one.node(), 1, List.of("s"), "ann", "content");
		records(this.one).keep(record, Duration.ofMinutes(1)).join();
		for (SessionClaim claim : List.of(new SessionClaim(key, "wrong", "ann", "t"),
				new SessionClaim(key, "s", "bob", "t"), new SessionClaim("unknown", "s", "ann", "t"))) {
			assertThat(records(this.other).claim(claim, Duration.ofMinutes(1)).join()).isNull();
		}
		assertThat(lines()).isEmpty();
	}

	@Test
	void unreadablePresenceDoesNotHideOthers() {
		presence(this.one).enter("bob", new Publication(this.name, "1", "x", LIMITS, false)).join();
		redis((commands) -> {
			commands.hset(NAMES.present(this.name), "", "");
			commands.hset(NAMES.present(this.name), "%uZZZZ", " ");
			commands.hset(NAMES.present(this.name), "twice", "n n");
		});
		for (int times = 0; times < 3; times++) {
			Map<String, Set<String>> present = presence(this.other).present(this.name).join();
			assertThat(present).isEqualTo(Map.of("bob", Set.of(this.one.node()), "twice", Set.of("n")));
		}
		assertThat(lines()).singleElement().asString().startsWith("Members of topics cannot be read");
	}

	@ParameterizedTest
	@ValueSource(strings = { "inf", "1e300", "-inf", "9007199254740993", "9e15" })
	void nodeWhoseLeaseIsNoTimeStopsNoHeartbeatAndIsNotAlive(String score) {
		publish("a");
		redis((commands) -> {
			for (int partition = 0; partition < Partitions.COUNT; partition++) {
				commands.eval("return redis.call('ZADD', KEYS[1], ARGV[1], 'stranger')", ScriptOutputType.INTEGER,
						new String[] { NAMES.nodes(partition) }, score);
			}
			commands.hset(NAMES.joined(this.name)[0], "stranger", "1");
		});
		assertThat(this.one.occupy(this.name, 1, 1).join()).isTrue();
		assertThat(this.one.broadcast("x").join()).doesNotContain("stranger");
		publish("b");
		redis((commands) -> await().untilAsserted(() -> {
			for (int partition = 0; partition < Partitions.COUNT; partition++) {
				assertThat(commands.zscore(NAMES.nodes(partition), "stranger")).isNull();
				assertThat(commands.pttl(NAMES.nodes(partition))).isBetween(1L, 3_600_000L);
			}
			assertThat(this.one.nodes()).contains(this.other.node()).doesNotContain("stranger");
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "99999999999999999999.x", "9007199254740993.x" })
	void positionWhoseNumberIsTooLargeBeginsTheNameAnew(String text) {
		publish("a");
		redis((commands) -> commands.set(NAMES.published(this.name)[1], text));
		Position at = publish("b");
		assertThat(at.offset()).isOne();
		redis((commands) -> commands.rpush(NAMES.published(this.name)[0], text + " 9000000000000 100 c"));
		assertThat(payloads(this.other.read(this.name, null).join())).contains("a", "b").doesNotContain("c");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-5", "99999999999", "inf", "1e300", "1.5" })
	void numberOfPlacesThatIsNoneTakesNone(String places) {
		this.other.join(this.name).join();
		redis((commands) -> commands.hset(NAMES.joined(this.name)[0], this.other.node(), places));
		assertThat(this.one.occupy(this.name, 3, 2).join()).isFalse();
		assertThat(this.one.occupy(this.name, 2, 2).join()).isTrue();
	}

	/** Each key of a name is replaced when it is used. */
	@ParameterizedTest
	@ValueSource(
			strings = { "SET key x", "HSET key x x", "RPUSH key x", "SADD key x", "ZADD key 1 x", "XADD key * x x" })
	void keysOfAnotherTypeAreReplaced(String command) {
		String session = UUID.randomUUID().toString();
		this.other.join(this.name).join();
		publish("a");
		redis((commands) -> Stream
			.concat(Stream.of(NAMES.published(this.name)), Stream.of(NAMES.session(session), NAMES.nodes(0)))
			.forEach((key) -> {
				commands.eval("redis.call('DEL', KEYS[1]) redis.call(unpack(ARGV)) return 1", ScriptOutputType.INTEGER,
						new String[] { key }, command.replace("key", key).split(" "));
			}));

		assertThat(payloads(this.other.read(this.name, null).join())).doesNotContain("a");
		assertThat(presence(this.other).present(this.name).join()).doesNotContainKey("bob");
		this.other.join(this.name).join();
		Position at = publish("b");
		await().untilAsserted(() -> assertThat(this.received.messages()).extracting((message) -> message.entry())
			.contains(new TopicEntry(at, "b")));
		assertThat(payloads(this.other.read(this.name, null).join())).containsExactly("b");
		presence(this.one).enter("bob", new Publication(this.name, "1", "x", LIMITS, false)).join();
		assertThat(presence(this.other).present(this.name).join()).containsEntry("bob", Set.of(this.one.node()));
		SessionRecord record = new SessionRecord(session, this.one.node(), 1, List.of("s"), "ann", "content");
		assertThat(records(this.one).keep(record, Duration.ofMinutes(1)).join()).isTrue();
		assertThat(records(this.other).claim(new SessionClaim(session, "s", "ann", "t"), Duration.ofMinutes(1)).join())
			.isEqualTo(record);
		records(this.one).forget(session, 5).join();
		await().untilAsserted(() -> assertThat(this.one.nodes()).contains(this.one.node(), this.other.node()));
	}

	@Test
	void furtherEntriesOfAMinuteAreOneLine() {
		List<Runnable> scheduled = new ArrayList<>();
		ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1) {

			@Override
			public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
				assertThat(unit.toSeconds(delay)).isEqualTo(60);
				scheduled.add(command);
				return super.schedule(() -> {
				}, 0, unit);
			}

		};
		UnreadableEntries log = UnreadableEntries.records(timer);
		for (int minute = 1; minute <= 2; minute++) {
			for (int times = 0; times < 4; times++) {
				log.warn(new IllegalArgumentException("secret"));
			}
			scheduled.remove(0).run();
			assertThat(scheduled).isEmpty();
			assertThat(lines()).hasSize(2 * minute).last().asString().contains("(3 more in the last minute)");
		}
		assertThat(lines()).noneMatch((line) -> line.contains("secret"));
		log.warn(new IllegalArgumentException());
		timer.shutdownNow();
		scheduled.remove(0).run();
		assertThat(lines()).hasSize(5);
	}

	private List<String> lines() {
		return List.copyOf(this.lines);
	}

	@Test
	void hostileNamesAndTextsReadBackEqual() {
		attack(40);
	}

	@Tag("full")
	@Test
	void manyHostileNamesAndTextsReadBackEqual() {
		attack(600);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		for (int number = 0; number < times; number++) {
			String topic = "t:" + number + values.text(250);
			String payload = values.encodable(60_000);
			String member = values.encodable(2_000);
			this.other.join(topic).join();
			Position at = this.one.publish(new Publication(topic, "m" + number, payload, LIMITS, false)).join().at();
			assertThat(this.other.read(topic, null).join().entries()).as("seed %s", values.seed())
				.containsExactly(new TopicEntry(at, payload));
			await().untilAsserted(() -> assertThat(this.received.messages()).as("seed %s", values.seed())
				.last()
				.satisfies((message) -> {
					assertThat(message.name()).isEqualTo(topic);
					assertThat(message.entry()).isEqualTo(new TopicEntry(at, payload));
				}));
			presence(this.one).enter(member, new Publication(topic, "p" + number, "x", LIMITS, false)).join();
			assertThat(presence(this.other).present(topic).join()).as("seed %s", values.seed())
				.isEqualTo(Map.of(member, Set.of(this.one.node())));
			SessionRecord record = new SessionRecord(UUID.randomUUID().toString(), this.one.node(), 1, List.of("s"),
					values.text(2_000), payload);
			records(this.one).keep(record, Duration.ofMinutes(1)).join();
			assertThat(records(this.other)
				.claim(new SessionClaim(record.key(), "s", record.owner(), "t"), Duration.ofMinutes(1))
				.join()).as("seed %s", values.seed()).isEqualTo(record);
		}
	}

	private static PresenceRegistry presence(ClusterBus bus) {
		return Objects.requireNonNull(bus.presence());
	}

	private static SessionRecords records(ClusterBus bus) {
		return Objects.requireNonNull(bus.records());
	}

}
