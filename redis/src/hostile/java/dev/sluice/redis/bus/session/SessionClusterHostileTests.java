package dev.sluice.redis.bus.session;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.cluster.Delivery;
import dev.sluice.cluster.SessionInfo;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of sessions and futures when the other node, a process, is killed or
 * paused, and when the way back from it is lost.
 */
@Tag("hostile")
@Timeout(60)
class SessionClusterHostileTests {

	private final RedisServer server = RedisServer.start();

	private final FaultyProxy proxy = FaultyProxy.to(this.server.port());

	private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + this.proxy.port());

	private final Queue<String> sent = new ConcurrentLinkedQueue<>();

	/** Outcomes of direct messages, by their texts. */
	private final Map<String, CompletableFuture<Delivery>> outcomes = new ConcurrentHashMap<>();

	private SessionNode node;

	private JavaProcess other;

	private String session;

	@BeforeEach
	void start() {
		this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.node = new SessionNode(this.client, (id, frame) -> this.sent.add(frame));
		this.other = JavaProcess.start(SessionNode.class, "" + this.server.port(), "1", "0");
		this.other.awaitLine("ready");
		this.session = await().until(this::found, (found) -> found.size() == 1).get(0).id();
		await().until(() -> this.node.bus.nodes().contains(otherNode()));
	}

	private String otherNode() {
		return this.session.substring(0, this.session.indexOf('.'));
	}

	/** Each success was written, and no failure was. */
	@AfterEach
	void compareOutcomesWithWhatWasWritten() throws IOException {
		try {
			this.outcomes.forEach((text, outcome) -> {
				assertThat(outcome).as(text).isCompleted();
				Delivery delivery = outcome.join();
				await().untilAsserted(() -> assertThat(written(text)).as("%s of '%s'", delivery, text)
					.isBetween((long) delivery.sent(), (long) delivery.sent() + delivery.unknown()));
			});
		}
		finally {
			stop();
		}
	}

	private void stop() throws IOException {
		this.other.close();
		this.proxy.repair();
		this.node.close();
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.proxy.close();
		this.server.close();
	}

	private List<SessionInfo> found() {
		return this.node.cluster.find(SessionQuery.ofPrincipal("user")).join().sessions();
	}

	private CompletableFuture<Delivery> send(String text) {
		return send(this.node, SessionQuery.ofId(this.session), text);
	}

	private CompletableFuture<Delivery> send(SessionNode from, SessionQuery query, String text) {
		CompletableFuture<Delivery> outcome = from.cluster.send(query, text);
		this.outcomes.put(text, outcome);
		return outcome;
	}

	private long written(String text) {
		return this.other.printed().stream().filter((line) -> line.startsWith("S ") && line.endsWith(text)).count();
	}

	@Test
	void whatWasSentWasWrittenToTheSocket() {
		assertThat(send("one").join().isComplete()).isTrue();
		await().untilAsserted(() -> assertThat(written("one")).isOne());
	}

	@Test
	void whatWasHandedOverToANodeThatIsKilledThenIsUnknown() throws InterruptedException {
		this.other.pause();
		CompletableFuture<Delivery> byId = send("one");
		CompletableFuture<Delivery> byPrincipal = send(this.node, SessionQuery.ofPrincipal("user"), "two");
		this.other.kill();
		assertUnknown(byId);
		assertUnknown(byPrincipal);
		await().until(() -> !this.node.bus.nodes().contains(otherNode()));
		assertThat(send("three").join().failures()).containsEntry(Delivery.NO_SUCH_SESSION, 1);
	}

	@Test
	void whatWasHandedOverToANodeThatIsPausedIsUnknownAndWrittenOnce() {
		this.other.pause();
		assertUnknown(send("one"));
		this.other.goOn();
		await().untilAsserted(() -> assertThat(written("one")).isOne());
		await().untilAsserted(() -> assertThat(send("two").join().isComplete()).isTrue());
		assertThat(written("one")).isOne();
	}

	private static void assertUnknown(CompletableFuture<Delivery> delivery) {
		assertThat(delivery).succeedsWithin(Duration.ofSeconds(10)).satisfies((outcome) -> {
			assertThat(outcome.sent() + outcome.failed()).as(outcome.toString()).isZero();
			assertThat(outcome.unknown()).isOne();
		});
	}

	@Test
	void aReceiptThatIsLostIsAskedForAgain() {
		try (SessionNode patient = new SessionNode(this.client, Duration.ofSeconds(20), (id, frame) -> {
		})) {
			await().until(() -> patient.bus.nodes().contains(otherNode()));
			this.proxy.silenceSubscriptions();
			CompletableFuture<Delivery> delivery = send(patient, SessionQuery.ofId(this.session), "one");
			await().untilAsserted(() -> assertThat(written("one")).isOne());
			this.proxy.hangUp();
			assertThat(delivery).succeedsWithin(Duration.ofSeconds(15)).satisfies((outcome) -> {
				assertThat(outcome.isComplete()).isTrue();
				assertThat(outcome.sent()).isOne();
			});
		}
		assertThat(written("one")).isOne();
	}

	@Test
	void aPublicationWhoseAnswerIsLostIsRepeatedAndNotDoubled() {
		ClusterBus bus = this.node.bus;
		Publication publication = new Publication("t:other", "once", "payload",
				new HistoryLimits(100, Duration.ofMinutes(5)), false);
		this.proxy.swallowAnswers();
		assertThat(bus.publish(publication)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withMessageContaining("Redis is not available");
		this.proxy.repair();
		this.proxy.hangUp();
		Published repeated = await().ignoreExceptions()
			.until(() -> bus.publish(publication.again()).join(), (published) -> true);
		assertThat(repeated.at().offset()).isOne();
		assertThat(bus.read("t:other", null).join().entries()).hasSize(1);
	}

	@Test
	void sessionsOfANodeThatIsKilledVanishWithinItsLease() throws InterruptedException {
		this.other.kill();
		await().atMost(SessionNode.LEASE.plusSeconds(1))
			.until(() -> !this.node.bus.nodes().contains(otherNode()));
		await().until(() -> this.node.cluster.find(SessionQuery.ofPrincipal("user")).join(),
				(found) -> found.count() == 0 && found.silentNodes().isEmpty());
	}

	/** Its lease ends, the server hangs up on it, and others forget what it has joined. */
	@Test
	void aNodeThatWasPausedComesBackWithoutGhostsAndVerifiesItsTopics() {
		this.other.pause();
		await().atMost(SessionNode.LEASE.plusSeconds(1)).until(() -> this.node.bus.nodes().size() == 1);
		RedisClient direct = this.server.client();
		try (StatefulRedisConnection<String, String> connection = direct.connect()) {
			connection.sync().clientKill(KillArgs.Builder.typePubsub());
		}
		finally {
			direct.shutdown(0, 1, TimeUnit.SECONDS);
		}
		await().until(() -> this.node.bus.route("t:" + SessionNode.TOPIC, "{}").join().isEmpty());
		this.node.topic().publish("missed").join();
		this.other.goOn();
		await().ignoreExceptions().until(() -> found().size() == 1);
		assertThat(found()).extracting(SessionInfo::id).containsExactly(this.session);
		await().untilAsserted(() -> assertThat(frames("missed")).isOne());
		await().until(() -> this.node.topic().post("again").join().sent() == 1);
		assertThat(frames("missed")).isOne();
		assertThat(frames("gap")).isZero();
	}

	private long frames(String word) {
		return this.other.printed()
			.stream()
			.filter((line) -> line.startsWith("S ") && line.contains('"' + word + '"'))
			.count();
	}

	@Test
	void idleSessionsCauseNoCommand() {
		for (int number = 0; number < 5000; number++) {
			this.node.open("idle-" + number, "idle-" + number);
		}
		await().until(() -> this.node.cluster.find(SessionQuery.ofPrincipal("idle-4999")).join().count() == 1);
		this.node.open("latest", "latest");
		await().until(() -> this.node.cluster.find(SessionQuery.ofPrincipal("latest")).join().count() == 1);
		RedisClient direct = this.server.client();
		try (StatefulRedisConnection<String, String> connection = direct.connect()) {
			connection.sync().configResetstat();
			await().until(() -> calls(connection).getOrDefault("zadd", 0L) >= 8);
			Map<String, Long> calls = calls(connection);
			assertThat(calls).containsOnlyKeys("config", "info", "evalsha", "zremrangebyscore", "zscore", "zadd",
					"publish", "zrange", "pexpireat", "time");
			assertThat(calls.get("evalsha")).isLessThanOrEqualTo(calls.get("zadd") + 1);
		}
		finally {
			direct.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	private static Map<String, Long> calls(StatefulRedisConnection<String, String> connection) {
		return connection.sync()
			.info("commandstats")
			.lines()
			.filter((line) -> line.startsWith("cmdstat_"))
			.collect(Collectors.toMap((line) -> line.substring("cmdstat_".length(), line.indexOf(':')),
					(line) -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+),.*", "$1"))));
	}

	@Test
	void sessionsOfANodeThatIsCutOffVanishAndComeBack() {
		this.proxy.cut();
		await().until(() -> this.node.bus.nodes().isEmpty());
		this.proxy.repair();
		await().ignoreExceptions().until(() -> found().size() == 1);
	}

}
