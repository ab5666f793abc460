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

	private static final int CLIENTS = 600;

	/** Between two messages of a room, which is part of the longest silence. */
	private static final Duration PACE = Duration.ofMillis(250);

	private static final String SHUTDOWN = "sluice.websocket.shutdown-timeout=5s";

	@Test
	void threeNodesAreReplacedAndNothingIsLostOrDoubled() throws Exception {
		Deque<RoomProcess> nodes = new ArrayDeque<>();
		try (RoomServer redis = new RoomServer(); RoomApplication publisher = RoomApplication.start(redis.port())) {
			Stream.generate(() -> new RoomProcess(redis.port(), SHUTDOWN)).limit(3).forEach(nodes::add);
			Integer[] ports = ports(nodes);
			await().atMost(Duration.ofMinutes(2)).until(() -> publisher.hears(4));
			try (RoomTrial trial = new RoomTrial(publisher, 12, CLIENTS, ports)) {
				trial.load(PACE, Duration.ofMillis(10));
				for (int replaced = 0; replaced < 3; replaced++) {
					nodes.add(new RoomProcess(redis.port(), SHUTDOWN));
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
				assertThat(trial.longestSilence()).isLessThan(Duration.ofSeconds(20));
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
