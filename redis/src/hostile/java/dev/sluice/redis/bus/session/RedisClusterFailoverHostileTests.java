package dev.sluice.redis.bus.session;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import dev.sluice.cluster.internal.feed.RepeatedPublication;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A master that is replaced by a replica without the latest messages, or stops. */
@Tag("hostile")
@Timeout(150)
class RedisClusterFailoverHostileTests {

	/** A minute takes {@code -Dsluice.history.seconds=60}. */
	private static final Duration SILENCE = Duration
		.ofSeconds(Math.max(5, Math.min(60, Integer.getInteger("sluice.history.seconds", 5))));

	/** Time after which a sentinel has a replica use its master without a link between. */
	private static final Duration DIVERTED = Duration.ofMinutes(10);

	private final RedisServer master = RedisServer.start();

	private final FaultyProxy link = FaultyProxy.to(this.master.port());

	private final List<AutoCloseable> opened = new ArrayList<>();

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	/** Number of attempts to publish a text that may have been published. */
	private final Map<String, Integer> undecided = new ConcurrentHashMap<>();

	@TempDir
	Path directory;

	@AfterEach
	void stop() throws Exception {
		this.link.repair();
		for (int index = this.opened.size() - 1; index >= 0; index--) {
			this.opened.get(index).close();
		}
		this.link.close();
		this.master.close();
	}

	/** Fewer messages than were lost, as many, and more. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 100 })
	void newMessagesReachEverybodyThoughTheTailWasLost(int news) throws IOException {
		RedisServer replica = opened(RedisServer.startReplicaOf(this.link.port()));
		awaitTrue(() -> info(replica).contains("master_link_status:up"));
		RedisServer sentinel = opened(RedisServer.startSentinel(this.directory, "bus", this.master, DIVERTED));
		awaitTrue(() -> info(sentinel).contains("slaves=1"));
		RedisURI uri = RedisURI.builder()
			.withSentinel("127.0.0.1", sentinel.port())
			.withSentinelMasterId("bus")
			.withTimeout(Duration.ofSeconds(2))
			.build();
		SessionNode one = node(uri, "one");
		SessionNode other = node(uri, "other");
		publish(one, "before");
		awaitTrue(() -> got("before") == 2);
		awaitTrue(() -> info(replica).contains("slave_repl_offset:" + offset(this.master)));

		this.link.hold();
		for (int index = 0; index < 3; index++) {
			publish(one, "tail" + index);
		}
		awaitTrue(() -> got("tail2") == 2);
		this.master.kill();
		this.link.cut();
		awaitTrue(() -> info(replica).contains("role:master") || failOver(sentinel));
		for (int index = 0; index < news; index++) {
			publish(other, "new" + index);
		}

		awaitTrue(() -> {
			SentMessages sent = new SentMessages(this.lines);
			return IntStream.range(0, news).allMatch((index) -> sent.sessionsThatGot("new" + index).size() == 2);
		});
		assertReceivedOncePerPublication("new0");
		assertThat(new SentMessages(this.lines).gaps()).as("a branch is told of").isEqualTo(Map.of("one", 1, "other", 1));
	}

	@Test
	void aServerThatStopsUnderLoadLosesAndDoublesNothing() {
		RedisURI uri = RedisURI.create("redis://127.0.0.1:" + this.master.port());
		SessionNode one = node(uri, "one");
		node(uri, "other");
		List<CompletableFuture<?>> futures = new ArrayList<>();
		CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
			long start = System.nanoTime();
			for (int number = 0; System.nanoTime() - start < SILENCE.plusSeconds(2).toNanos(); number++) {
				pause(Duration.ofMillis(5));
				String text = "m" + number;
				futures.add(one.topic()
					.publish(text)
					.thenAccept((at) -> this.lines.add("P " + at + ' ' + text))
					.exceptionally((failure) -> null));
			}
		}, (task) -> new Thread(task, "load").start());
		awaitTrue(() -> new SentMessages(this.lines).messages() > 20);
		this.master.pause();
		pause(SILENCE);
		this.master.goOn();
		assertThat(load).succeedsWithin(Duration.ofSeconds(20));
		assertThat(CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)))
			.succeedsWithin(Duration.ofSeconds(10));
		AtomicInteger asked = new AtomicInteger();
		awaitTrue(() -> {
			String last = "last" + asked.incrementAndGet();
			publish(one, last);
			return new SentMessages(this.lines).sessionsThatGot(last).size() == 2;
		});
		SentMessages sent = new SentMessages(this.lines);
		assertThat(sent.violations()).isEmpty();
		assertThat(sent.gaps()).isEmpty();
		assertThat(sent.notGotBy(2)).isEmpty();
	}

	private static void pause(Duration time) {
		LockSupport.parkNanos(time.toNanos());
	}

	private SessionNode node(RedisURI uri, String session) {
		RedisClient client = RedisClient.create(uri);
		client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		opened(() -> client.shutdown(0, 1, TimeUnit.SECONDS));
		SessionNode node = opened(new SessionNode(client, (id, frame) -> this.lines.add("S " + id + ' ' + frame)));
		node.join(session);
		return node;
	}

	/** An attempt without an answer may have been published, before the next one is. */
	private void publish(SessionNode node, String text) {
		await().pollDelay(Duration.ZERO).until(() -> node.topic().publish(text).handle((at, failure) -> {
			if (RepeatedPublication.isUndecided(failure)) {
				this.undecided.merge(text, 1, Integer::sum);
			}
			return failure == null;
		}).join());
	}

	private void assertReceivedOncePerPublication(String text) {
		List<String> received = this.lines.stream().filter((line) -> line.contains('"' + text + '"')).toList();
		assertThat(received).doesNotHaveDuplicates();
		assertThat(received.stream().map((line) -> line.replaceFirst("S \\S+ ", "")).distinct())
			.hasSizeBetween(1, 1 + this.undecided.getOrDefault(text, 0));
	}

	private int got(String text) {
		return new SentMessages(this.lines).sessionsThatGot(text).size();
	}

	private <T extends AutoCloseable> T opened(T closeable) {
		this.opened.add(closeable);
		return closeable;
	}

	private static void awaitTrue(BooleanSupplier condition) {
		await().atMost(40, TimeUnit.SECONDS)
			.ignoreExceptionsInstanceOf(RedisException.class)
			.until(condition::getAsBoolean);
	}

	private static String offset(RedisServer master) {
		return info(master).lines()
			.filter((line) -> line.startsWith("master_repl_offset:"))
			.findFirst()
			.orElseThrow()
			.substring("master_repl_offset:".length());
	}

	/** A sentinel that has found no replica does not try again for long. */
	private static boolean failOver(RedisServer sentinel) {
		RedisClient client = sentinel.client();
		try (StatefulRedisSentinelConnection<String, String> connection = client.connectSentinel()) {
			connection.sync().failover("bus");
			return false;
		}
		finally {
			client.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	private static String info(RedisServer server) {
		RedisClient client = server.client();
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().info();
		}
		finally {
			client.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

}
