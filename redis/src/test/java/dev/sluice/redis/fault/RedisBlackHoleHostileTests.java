package dev.sluice.redis.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.awaitility.Awaitility.await;

/**
 * Nodes under load whose connections stay open and pass nothing on, for a time or for
 * good.
 */
@Tag("hostile")
class RedisBlackHoleHostileTests {

	private static final int NODES = 3;

	private static final int KEYS = 9;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/**
	 * Ten timeouts, after which a connection is replaced, and what a busy machine takes.
	 */
	private static final Duration RECOVERED = Duration.ofSeconds(20);

	private static final Duration PACE = Duration.ofMillis(20);

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	private final List<Throttle> nodes = new ArrayList<>();

	@TempDir
	private Path directory;

	@AfterEach
	void stop() {
		this.stores.forEach(RedisThrottleStore::close);
		this.stores.clear();
	}

	/** All of them with {@code -Dtest.full=true}, otherwise one of a cluster. */
	static Stream<Arguments> topologies() {
		boolean full = Boolean.getBoolean("sluice.test.full");
		return Stream.of(false, true)
			.flatMap((cluster) -> Stream.of(1, 5, 12)
				.filter((seconds) -> full || cluster == (seconds == 12))
				.map((seconds) -> Arguments.of(cluster, seconds)));
	}

	@ParameterizedTest
	@MethodSource("topologies")
	void nodesRecoverWhenTheBlackHoleEnds(boolean cluster, int seconds) throws Exception {
		try (RedisTopology site = site(cluster)) {
			start(site);

			site.networks().forEach(FaultyProxy::swallow);
			load(Duration.ofSeconds(seconds));
			site.networks().forEach(FaultyProxy::repair);
			site.networks().forEach(FaultyProxy::hangUp);

			requireRecovered((cluster ? "cluster" : "single server") + ", " + seconds + " s");
			stop();
		}
	}

	/**
	 * As when a firewall forgets connections, and new ones work. Probes use the
	 * connection to one of the masters of a cluster.
	 */
	@ParameterizedTest
	@CsvSource({ "false, 0", "true, 0", "true, 1" })
	void deadConnectionsAreReplaced(boolean cluster, int master) throws Exception {
		try (RedisTopology site = site(cluster)) {
			start(site);

			site.network(master).silence();

			requireRecovered((cluster ? "cluster" : "single server") + ", dead connections to master " + master);
			stop();
		}
	}

	private RedisTopology site(boolean cluster) {
		return cluster ? new RedisTopology.Cluster(this.directory) : new RedisTopology.Sentinel(this.directory);
	}

	private void start(RedisTopology site) {
		for (int i = 0; i < NODES; i++) {
			RedisThrottleStore store = site.access().limits().get().timeout(TIMEOUT).build();
			this.stores.add(store);
			this.nodes.add(ThrottlingManager.builder()
				.store(store)
				.build()
				.addOrUpdate("rate", Limit.slidingLog(1_000_000, Duration.ofDays(1))));
		}
		await().atMost(Duration.ofMinutes(1)).until(this::call);
	}

	private void load(Duration time) {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			call();
			LockSupport.parkNanos(PACE.toNanos());
		}
	}

	/** Returns whether Redis has decided a call of each node for each key. */
	private boolean call() {
		boolean all = true;
		for (Throttle node : this.nodes) {
			for (int key = 0; key < KEYS; key++) {
				all &= node.tryAcquire("k" + key).reason() != Decision.Reason.STORE;
			}
		}
		return all;
	}

	private void requireRecovered(String fault) {
		long end = System.nanoTime();
		await().atMost(RECOVERED).until(this::call);
		long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end);
		System.out.println("recovered after " + millis + " ms: " + fault);
		// none of them fails later, as one would whose reply is still waited for
		await().during(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(5)).until(this::call);
	}

}
