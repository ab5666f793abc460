package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.test.trial.HostileValues;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Thirty clients at three nodes over Redis, which are killed or stopped and replaced,
 * while hostile values are published, sent to single clients, and sent by clients.
 */
@Tag("redis")
@Tag("hostile")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class RandomInputsHostileTests {

	/** An hour takes {@code -Dsluice.history.seconds=3600}. */
	private static final int SECONDS = Integer.getInteger("sluice.history.seconds", 20);

	private static final String[] PROPERTIES = { "sluice.cluster.resume.outbox=redis",
			"sluice.websocket.shutdown-timeout=5s", "sluice.cluster.timeout=15s" };

	private final HostileValues values = HostileValues.create();

	private final Random random = new Random(this.values.seed());

	@Test
	void nothingIsLostWithoutAWord() throws Exception {
		List<RoomProcess> nodes = new ArrayList<>();
		List<String> errors = new ArrayList<>();
		int replaced = 0;
		try (RoomServer redis = new RoomServer();
				RoomApplication publisher = RoomApplication.start(redis.port(), PROPERTIES)) {
			Stream.generate(() -> new RoomProcess(redis.port(), PROPERTIES)).limit(3).forEach(nodes::add);
			Integer[] ports = ports(nodes);
			await().atMost(Duration.ofMinutes(2)).until(() -> publisher.hears(4));
			try (RoomTrial trial = new RoomTrial(publisher, 5, 30, ports)) {
				trial.attack(this.values, Duration.ofMillis(100));
				trial.load(Duration.ofMillis(500), Duration.ofMillis(50));
				long begin = System.nanoTime();
				while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(SECONDS)) {
					pause(Math.max(2, SECONDS / 120) + this.random.nextInt(Math.max(2, SECONDS / 60)));
					RoomProcess old = nodes.remove(this.random.nextInt(nodes.size()));
					trial.balance(ports(nodes));
					if (this.random.nextBoolean()) {
						old.kill();
					}
					else {
						old.stop();
					}
					errors.addAll(old.errors);
					nodes.add(new RoomProcess(redis.port(), PROPERTIES));
					trial.balance(ports(nodes));
					trial.awaitResumes();
					replaced++;
				}
				trial.rest();
				nodes.forEach((node) -> errors.addAll(node.errors));
				System.out.println("Random inputs, " + replaced + " nodes replaced: " + trial);
				trial.assertNothingIsMissingWithoutAWord();
				assertThat(errors).isEmpty();
			}
		}
		finally {
			List.copyOf(nodes).forEach(RoomProcess::kill);
		}
	}

	private static void pause(int seconds) {
		LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds));
	}

	private static Integer[] ports(List<RoomProcess> nodes) {
		return nodes.stream().map(RoomProcess::port).toArray(Integer[]::new);
	}

}
