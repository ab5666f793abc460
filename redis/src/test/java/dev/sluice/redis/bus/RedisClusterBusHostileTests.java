package dev.sluice.redis.bus;

import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.sluice.bus.ClusterBus;
import dev.sluice.redis.JavaProcess;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.cluster.RecordedFrames;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes that are processes, which are killed and paused. */
@Tag("hostile")
@Timeout(60)
class RedisClusterBusHostileTests {

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final ClusterBus bus = BusNode.connect(this.client);

	@AfterEach
	void stop() {
		this.bus.close();
		this.client.shutdown(0, 1, TimeUnit.SECONDS);
		this.server.close();
	}

	@Test
	void aNodeThatIsKilledVanishesWithinItsLease() throws InterruptedException {
		this.bus.start(new RecordedFrames());
		try (JavaProcess process = start()) {
			Set<String> interested = interested();
			assertThat(interested).hasSize(1);
			await().until(() -> this.bus.nodes().containsAll(interested));
			process.kill();
			await().atMost(BusNode.LEASE.plusSeconds(1)).until(() -> this.bus.nodes().size() == 1);
			await().untilAsserted(() -> assertThat(interested()).isEmpty());
		}
	}

	@Test
	void thePlacesOfANodeThatIsKilledAreFreeWithinItsLease() throws InterruptedException {
		this.bus.start(new RecordedFrames());
		try (JavaProcess process = start()) {
			assertThat(this.bus.occupy(BusNode.PLACES, 1, 2).join()).isFalse();
			process.kill();
			await().atMost(BusNode.LEASE.plusSeconds(1)).until(() -> this.bus.occupy(BusNode.PLACES, 2, 2).join());
		}
	}

	@Test
	void aNodeThatIsPausedForLongerThanItsLeaseComesBackUnderItsName() {
		this.bus.start(new RecordedFrames());
		try (JavaProcess process = start()) {
			Set<String> interested = interested();
			process.pause();
			await().atMost(BusNode.LEASE.plusSeconds(1)).until(() -> this.bus.nodes().size() == 1);
			process.goOn();
			await().until(() -> this.bus.nodes().containsAll(interested) && interested().equals(interested));
		}
	}

	private JavaProcess start() {
		JavaProcess process = JavaProcess.start(BusNode.class, "" + this.server.port());
		process.awaitLine("ready");
		return process;
	}

	private Set<String> interested() {
		return this.bus.route(BusNode.NAME, "frame").join();
	}

}
