package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import dev.sluice.cluster.ClusterBus;
import dev.sluice.cluster.HistoryLimits;
import dev.sluice.cluster.Position;
import dev.sluice.cluster.Publication;
import dev.sluice.cluster.SessionClaim;
import dev.sluice.cluster.SessionRecord;
import dev.sluice.cluster.TopicEntry;
import dev.sluice.cluster.TopicHistory;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.RecordedFrames;
import dev.sluice.test.trial.HostileValues;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
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

	private static final BusNames NAMES = new BusNames("écluse:");

	private static BusServer server;

	private final List<ClusterBus> opened = new ArrayList<>();

	private final RecordedFrames received = new RecordedFrames();

	private final ClusterBus one = open(new RecordedFrames());

	private final ClusterBus other = open(this.received);

	private final String name = "t:" + UUID.randomUUID();

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
	@ValueSource(strings = { "", "garbage", "node x owner secret content", "\u0000" })
	void unreadableRecordIsNoSession(String garbage) {
		String key = UUID.randomUUID().toString();
		redis((commands) -> commands.set(NAMES.session(key), garbage));
		assertThat(this.one.claim(new SessionClaim(key, "s", "ann", "t"), Duration.ofMinutes(1)).join()).isNull();
		SessionRecord record = new SessionRecord(key, this.one.node(), 1, List.of("s"), "ann", "content");
		assertThat(this.one.keep(record, Duration.ofMinutes(1)).join()).isTrue();
		assertThat(this.other.claim(new SessionClaim(key, "s", "ann", "t"), Duration.ofMinutes(1)).join())
			.isEqualTo(record);
	}

	@Test
	void unreadablePresenceDoesNotHideOthers() {
		this.one.enter("bob", new Publication(this.name, "1", "x", LIMITS, false)).join();
		redis((commands) -> {
			commands.hset(NAMES.present(this.name), "", "");
			commands.hset(NAMES.present(this.name), "%uZZZZ", " ");
		});
		Map<String, Set<String>> present = this.other.present(this.name).join();
		assertThat(present).containsEntry("bob", Set.of(this.one.node()));
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
			this.one.enter(member, new Publication(topic, "p" + number, "x", LIMITS, false)).join();
			assertThat(this.other.present(topic).join()).as("seed %s", values.seed())
				.isEqualTo(Map.of(member, Set.of(this.one.node())));
			SessionRecord record = new SessionRecord(UUID.randomUUID().toString(), this.one.node(), 1, List.of("s"),
					values.text(2_000), payload);
			this.one.keep(record, Duration.ofMinutes(1)).join();
			assertThat(this.other.claim(new SessionClaim(record.key(), "s", record.owner(), "t"), Duration.ofMinutes(1))
				.join()).as("seed %s", values.seed()).isEqualTo(record);
		}
	}

}
