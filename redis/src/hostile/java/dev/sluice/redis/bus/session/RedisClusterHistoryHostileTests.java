package dev.sluice.redis.bus.session;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three processes with publishers, and sessions that join and leave at random: one behind
 * a network that is cut and falls silent, one that is paused, one that is killed and
 * replaced. In the middle a replica without the latest messages becomes the master. What
 * each session was sent is compared with all that was published.
 */
@Tag("hostile")
@Timeout(value = 12, unit = TimeUnit.MINUTES)
class RedisClusterHistoryHostileTests {

	/** A minute takes {@code -Dsluice.history.seconds=60}. */
	private static final long NANOS = TimeUnit.SECONDS.toNanos(Integer.getInteger("sluice.history.seconds", 16));

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final RedisServer master = RedisServer.start();

	private final FaultyProxy replication = FaultyProxy.to(this.master.port());

	private final RedisServer replica = RedisServer.startReplicaOf(this.replication.port());

	private final FaultyProxy way = FaultyProxy.to(this.master.port());

	private final FaultyProxy faulty = FaultyProxy.to(this.master.port());

	private final NodeProcesses nodes = new NodeProcesses();

	private final Random random = new Random(42);

	private JavaProcess cut;

	private JavaProcess paused;

	private JavaProcess killed;

	@AfterEach
	void stop() throws IOException {
		this.nodes.close();
		for (FaultyProxy proxy : List.of(this.way, this.faulty, this.replication)) {
			proxy.close();
		}
		this.replica.close();
		this.master.close();
	}

	@Test
	void nothingIsLostDoubledOrOutOfOrder() throws InterruptedException {
		this.cut = start(this.faulty);
		this.paused = start(this.way);
		this.killed = start(this.way);
		this.nodes.load();
		disturb(NANOS / 2);
		this.nodes.rest();
		SentMessages before = this.nodes.sent();
		assertThat(before.violations()).isEmpty();
		assertThat(before.gaps()).as("the history has all").isEmpty();

		this.nodes.load();
		failOver();
		disturb(NANOS / 2);
		this.nodes.rest();
		SentMessages sent = this.nodes.sent();
		assertThat(sent.violations()).isEmpty();
		assertThat(sent.gaps().values()).as("the tail that was lost").containsOnly(1);
		assertThat(sent.messages()).isGreaterThan(before.messages() + 1000);
	}

	private void disturb(long nanos) throws InterruptedException {
		long start = System.nanoTime();
		while (System.nanoTime() - start < nanos) {
			switch (this.random.nextInt(6)) {
				case 0 -> this.faulty.hangUp();
				case 1 -> this.faulty.silenceSubscriptions();
				case 2 -> this.faulty.silence();
				case 3 -> {
					this.faulty.cut();
					pause(500 + this.random.nextInt(2000));
					this.faulty.repair();
				}
				case 4 -> {
					this.paused.pause();
					pause(500 + this.random.nextInt(2000));
					this.paused.goOn();
				}
				default -> {
					this.nodes.kill(this.killed);
					this.killed = start(this.way);
					this.killed.tell("load");
				}
			}
			pause(this.random.nextInt(1000));
		}
	}

	/** What is published while the replica hears nothing is lost with the master. */
	private void failOver() {
		this.replication.hold();
		int before = this.nodes.sent().messages();
		await().atMost(PATIENCE).until(() -> this.nodes.sent().messages() > before + 100);
		this.master.kill();
		this.replication.cut();
		RedisClient client = this.replica.client();
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			connection.sync().replicaofNoOne();
		}
		finally {
			client.shutdown(0, 1, TimeUnit.SECONDS);
		}
		this.way.redirect(this.replica.port());
		this.faulty.redirect(this.replica.port());
	}

	/** The checker itself. */
	@Test
	void aMessageThatIsLostOrDoubledOrOutOfOrderOrALieIsFound() {
		List<String> right = List.of("P 1.a one", line("s", "one", "1.a"), line("s", "two", "2.b"),
				line("s", "three", "3.c"), "D two 1 0 0");
		assertThat(new SentMessages(right).violations()).isEmpty();
		assertThat(new SentMessages(List.of(right.get(1), right.get(3))).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(1), right.get(2), right.get(2))).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(1), line("s", "one", "2.c"))).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(2), right.get(1))).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(0), line("s", "other", "1.a"))).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(1), "D one 2 0 0")).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(1), "D one 0 1 0 s")).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(line("n-1", "one", "1.a"), "D one 0 1 0 m,n")).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(line("n-1", "one", "1.a"), "D one 0 1 0 m")).violations()).isEmpty();
		assertThat(new SentMessages(List.of(right.get(1), "F one failed")).violations()).hasSize(1);
		assertThat(new SentMessages(List.of(right.get(1), "F one undecided")).violations()).isEmpty();
		String gap = "S s {\"type\":\"gap\",\"topic\":\"room\",\"at\":\"2.b\"}";
		assertThat(new SentMessages(List.of(right.get(1), gap, right.get(2))).violations()).isEmpty();
		assertThat(new SentMessages(List.of(right.get(1), gap, right.get(3))).violations()).isEmpty();
		assertThat(new SentMessages(List.of(right.get(1), gap, line("s", "four", "4.d"))).violations()).hasSize(1);
		List<String> told = List.of(right.get(1), "S s {\"type\":\"gap\",\"topic\":\"room\"}", right.get(3));
		assertThat(new SentMessages(told).violations()).isEmpty();
		assertThat(new SentMessages(told).gaps()).containsExactly(Map.entry("s", 1));
	}

	private static String line(String session, String text, String at) {
		return "S %s {\"type\":\"message\",\"data\":\"%s\",\"topic\":\"room\",\"at\":\"%s\"}".formatted(session, text,
				at);
	}

	private JavaProcess start(FaultyProxy proxy) {
		return this.nodes.start("" + proxy.port());
	}

	private static void pause(long millis) {
		LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
	}

}
