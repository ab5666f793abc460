package dev.sluice.redis.fault;

import java.time.Duration;

import dev.sluice.bus.BusState;
import dev.sluice.redis.bus.RedisClusterBus;
import dev.sluice.test.cluster.RecordedFrames;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Start of a node while the server is a replica, as during a fail-over. */
class RedisReadOnlyStartTests {

	@Test
	void nodeStartsAndUsesTheServerOnceItIsAMaster() throws Exception {
		RecordedLog log = new RecordedLog();
		try (RedisFaultSite site = new RedisFaultSite()) {
			RedisFault.READ_ONLY.begin.accept(site, Duration.ZERO);
			RedisClusterBus bus = RedisClusterBus.builder(site.client()).timeout(Duration.ofSeconds(5)).build();
			try {
				bus.start(new RecordedFrames());
				assertThat(bus.state()).isEqualTo(BusState.UNAVAILABLE);

				RedisFault.READ_ONLY.end.accept(site);

				await().until(() -> bus.state() == BusState.UP);
				assertThat(log.warnings()).noneMatch((text) -> text.contains("format"));
			}
			finally {
				bus.close();
			}
		}
		finally {
			log.close();
		}
	}

}
