package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.ClusterBus;
import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.Publication;
import dev.sluice.bus.Published;
import dev.sluice.bus.TopicEntry;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.RecordedFrames;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Messages of one node that come faster than a server answers. */
@Timeout(60)
class PublicationsTests {

	private static final Duration TIMEOUT = Duration.ofMillis(950);

	private static final HistoryLimits LIMITS = new HistoryLimits(1000, Duration.ofMinutes(1));

	private static final AtomicInteger NAMES = new AtomicInteger();

	private static RedisServer server;

	private static RedisClient client;

	private final String name = "t:" + NAMES.incrementAndGet();

	private final RecordedFrames heard = new RecordedFrames();

	private ClusterBus patient;

	@BeforeAll
	static void startServer() {
		server = RedisServer.start();
		client = server.client();
	}

	@AfterAll
	static void stopServer() {
		client.shutdown();
		server.close();
	}

	@BeforeEach
	void start() {
		this.patient = connect(Duration.ofSeconds(30));
		this.patient.start(this.heard);
		this.patient.join(this.name).join();
		publish(this.patient, "known", LIMITS).join();
	}

	private static ClusterBus connect(Duration timeout) {
		return RedisClusterBus.builder(client)
			.timeout(timeout)
			.lease(Duration.ofMinutes(2))
			.beat(Duration.ofMinutes(1))
			.build();
	}

	@AfterEach
	void stop() {
		server.goOn();
		this.patient.close();
	}

	@Test
	void messagesThatComeWhileACallIsUnderWayAreFewCallsInTheirOrder() {
		long before = calls();
		server.pause();
		List<CompletableFuture<Published>> outcomes = IntStream.range(0, 300)
			.mapToObj((number) -> publish(this.patient, "m" + number, LIMITS))
			.toList();
		server.goOn();
		List<TopicEntry> entries = outcomes.stream()
			.map(CompletableFuture::join)
			.map((published) -> new TopicEntry(published.at(), published.at().messageId()))
			.toList();
		assertThat(entries).extracting(TopicEntry::payload)
			.containsExactlyElementsOf(IntStream.range(0, 300).mapToObj((number) -> "m" + number).toList());
		assertThat(entries).extracting((entry) -> entry.at().offset())
			.containsExactlyElementsOf(IntStream.range(2, 302).mapToObj(Long::valueOf).toList());
		assertThat(this.patient.read(this.name, null).join().entries()).endsWith(entries.toArray(TopicEntry[]::new));
		assertThat(calls() - before).isBetween(300L / Publications.MOST, 10L);
	}

	@Test
	void eachMessageOfACallTellsWhatItFollows() {
		server.pause();
		for (int number = 0; number < 20; number++) {
			publish(this.patient, "m" + number, LIMITS);
		}
		server.goOn();
		await().untilAsserted(() -> assertThat(this.heard.messages()).hasSize(21));
		for (int index = 1; index < 21; index++) {
			assertThat(this.heard.messages().get(index).before())
				.isEqualTo(this.heard.messages().get(index - 1).entry().at());
		}
	}

	@Test
	void messagesWithOtherLimitsAreAnotherCall() {
		HistoryLimits brief = new HistoryLimits(2, Duration.ofMinutes(1));
		server.pause();
		publish(this.patient, "first", LIMITS);
		publish(this.patient, "second", LIMITS);
		CompletableFuture<Published> last = publish(this.patient, "third", brief);
		server.goOn();
		last.join();
		assertThat(this.patient.read(this.name, null).join().entries()).extracting(TopicEntry::payload)
			.containsExactly("second", "third");
	}

	@Test
	void whatHasWaitedTooLongForAnAnswerIsNotSent() {
		ClusterBus hasty = connect(TIMEOUT);
		hasty.start(new RecordedFrames());
		await().ignoreExceptions().until(() -> publish(hasty, "known", LIMITS).join() != null);
		server.pause();
		CompletableFuture<Published> sent = publish(hasty, "sent", LIMITS);
		List<CompletableFuture<Published>> waiting = new ArrayList<>();
		for (int number = 0; number < 200; number++) {
			waiting.add(publish(hasty, "m" + number, LIMITS));
		}
		assertThat(isUndecided(sent)).isTrue();
		List<String> notSent = IntStream.range(0, 200)
			.filter((number) -> !isUndecided(waiting.get(number)))
			.mapToObj((number) -> "m" + number)
			.toList();
		server.goOn();
		publish(this.patient, "later", LIMITS).join();
		assertThat(notSent).contains("m0");
		assertThat(this.patient.read(this.name, null).join().entries()).extracting(TopicEntry::payload)
			.containsSubsequence("sent", "later")
			.doesNotContainAnyElementsOf(notSent);
		hasty.close();
	}

	private static boolean isUndecided(CompletableFuture<?> future) {
		return future.handle((nothing, failure) -> ((BusUnavailableException) failure).isUndecided())
			.orTimeout(10 * TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
			.join();
	}

	private CompletableFuture<Published> publish(ClusterBus bus, String id, HistoryLimits limits) {
		return bus.publish(new Publication(this.name, id, id, limits, false));
	}

	/** Returns how often a list was written to. */
	private static long calls() {
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync()
				.info("commandstats")
				.lines()
				.filter((line) -> line.startsWith("cmdstat_rpush:"))
				.mapToLong((line) -> Long.parseLong(line.replaceFirst(".*?calls=(\\d+),.*", "$1")))
				.sum();
		}
	}

}
