package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What clients find when nodes, which are processes, are replaced under load. */
@Tag("redis")
@Tag("hostile")
@Timeout(600)
class ReplacedNodesHostileTests {

	private static final int CLIENTS = 300;

	/** Between two messages of a room, which is part of the longest silence. */
	private static final Duration PACE = Duration.ofMillis(400);

	/** Nothing is lost as long as each answers in time, however busy the machine is. */
	private static final String[] PROPERTIES = { "sluice.websocket.shutdown-timeout=5s", "sluice.cluster.timeout=15s",
			"sluice.cluster.lease=30s" };

	@Test
	void threeNodesAreReplacedAndNothingIsLostOrDoubled() throws Exception {
		Deque<RoomProcess> nodes = new ArrayDeque<>();
		try (RoomServer redis = new RoomServer();
				RoomApplication publisher = RoomApplication.start(redis.port(), PROPERTIES)) {
			Stream.generate(() -> new RoomProcess(redis.port(), PROPERTIES)).limit(3).forEach(nodes::add);
			Integer[] ports = ports(nodes);
			await().atMost(Duration.ofMinutes(2)).until(() -> publisher.hears(4));
			try (RoomTrial trial = new RoomTrial(publisher, 10, CLIENTS, ports)) {
				trial.load(PACE, Duration.ofMillis(20));
				for (int replaced = 0; replaced < 3; replaced++) {
					nodes.add(new RoomProcess(redis.port(), PROPERTIES));
					nodes.getLast().port();
					RoomProcess old = nodes.remove();
					trial.balance(ports(nodes));
					old.stop();
					trial.awaitResumes();
				}
				trial.rest();
				System.out.println("Replaced nodes: " + trial);
				trial.assertNothingIsLost();
				assertThat(trial.closes()).containsOnlyKeys(1001);
				assertThat(trial.closes().get(1001)).isGreaterThanOrEqualTo(CLIENTS);
				// three seconds are measured by benchmarks, where nothing else runs
				assertThat(trial.longestSilence()).isLessThan(Duration.ofSeconds(30));
			}
		}
		finally {
			List.copyOf(nodes).forEach(RoomProcess::kill);
		}
	}

	private static Integer[] ports(Deque<RoomProcess> nodes) {
		return nodes.stream().map(RoomProcess::port).toArray(Integer[]::new);
	}

}
