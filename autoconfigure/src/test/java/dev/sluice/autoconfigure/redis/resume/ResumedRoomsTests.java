package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;

import dev.sluice.autoconfigure.fixture.CuttableNetwork;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The clients of a node that is lost, and of one that is replaced, where nodes are
 * applications of this process.
 */
@Tag("full")
@Tag("redis")
@Timeout(300)
class ResumedRoomsTests {

	/** Nothing is lost as long as each answers in time, however busy the machine is. */
	private static final String TIMEOUT = "sluice.cluster.timeout=10s";

	@Test
	void clientsOfNodesThatStopOrAreLostGoOnAtOthers() throws Exception {
		try (RoomServer redis = new RoomServer();
				CuttableNetwork network = new CuttableNetwork(redis.port());
				RoomApplication publisher = RoomApplication.start(redis.port(), TIMEOUT);
				RoomApplication lost = RoomApplication.start(network.port(), TIMEOUT)) {
			RoomApplication replaced = RoomApplication.start(redis.port(), TIMEOUT,
					"sluice.websocket.shutdown-timeout=2s");
			await().atMost(Duration.ofSeconds(30)).until(() -> publisher.hears(3));
			try (RoomTrial trial = new RoomTrial(publisher, 4, 40, replaced.port())) {
				trial.load(Duration.ofMillis(100), Duration.ofMillis(5));
				trial.balance(publisher.port(), lost.port());
				replaced.close();
				trial.awaitResumes(1);
				trial.assertNothingIsLost();
				assertThat(trial.closes()).containsOnlyKeys(1001);
				trial.balance(publisher.port());
				network.cut();
				trial.abort();
				trial.awaitResumes(2);
				trial.rest();
				trial.assertNothingIsMissingWithoutAWord();
			}
			finally {
				replaced.close();
			}
		}
	}

}
