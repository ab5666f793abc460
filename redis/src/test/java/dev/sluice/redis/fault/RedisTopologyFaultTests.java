package dev.sluice.redis.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.redis.fault.RedisUser.Feature;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes that find the master by sentinels, or that use a cluster, with each feature
 * alone, during and after each fault.
 */
@Isolated("counts the warnings of the process")
class RedisTopologyFaultTests {

	private static final int NODES = 2;

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static final int ATTEMPTS_A_SECOND = 10;

	private static final double MORE_THAN_IDLE = 1.2;

	/** Commands to a server and messages from it; they may be to one and from another. */
	private static final int LOGS = 2;

	private static final Duration IDLE = Duration.ofSeconds(1);

	private final RecordedLog log = new RecordedLog();

	@TempDir
	private Path directory;

	@AfterEach
	void stop() {
		this.log.close();
	}

	@ParameterizedTest
	@MethodSource
	void faultEndsWithItsCause(boolean cluster, TopologyFault fault, Feature feature) throws Exception {
		suffer(cluster, fault, feature, Duration.ofMillis(1500));
	}

	static Stream<Arguments> faultEndsWithItsCause() {
		return Stream.of(Arguments.of(false, TopologyFault.FAILED_OVER, Feature.ALL.get(0)),
				Arguments.of(true, TopologyFault.BLACK_HOLE, Feature.ALL.get(2)));
	}

	@Tag("hostile")
	@ParameterizedTest
	@MethodSource
	void anyFaultOfAnyTopologyEndsWithItsCause(boolean cluster, TopologyFault fault, Feature feature) throws Exception {
		suffer(cluster, fault, feature, Duration.ofSeconds(3));
	}

	/**
	 * Each fault with limits in one topology and sessions in the other, but those of all
	 * masters in one of both; in full, with each feature in both.
	 */
	static Stream<Arguments> anyFaultOfAnyTopologyEndsWithItsCause() {
		boolean full = Boolean.getBoolean("sluice.test.full");
		return Stream.of(false, true)
			.flatMap((cluster) -> Stream.of(TopologyFault.values())
				.filter((fault) -> full || TopologyFault.COMMON.contains(fault)
						|| cluster == (fault.ordinal() % 2 == 0))
				.flatMap((fault) -> (full ? Feature.ALL.stream() : Stream.of(one(cluster, fault)))
					.map((feature) -> Arguments.of(cluster, fault, feature))));
	}

	/**
	 * Returns limits or sessions, so that each fault meets both, one in each topology.
	 */
	private static Feature one(boolean cluster, TopologyFault fault) {
		return Feature.ALL.get((cluster == (fault.ordinal() % 2 == 0)) ? 0 : 2);
	}

	private void suffer(boolean cluster, TopologyFault fault, Feature feature, Duration time) throws Exception {
		try (RedisTopology site = cluster ? new RedisTopology.Cluster(this.directory)
				: new RedisTopology.Sentinel(this.directory);
				RedisUser user = feature.starts().start(site.access(), NODES, TIMEOUT)) {
			await().atMost(Duration.ofSeconds(30)).until(() -> user.isUp() && user.call());
			long idle = requestsWhileIdle(site);
			user.take();
			site.awaitReplicated();
			int connections = site.connections();
			this.log.clear();

			fault.begin.accept(site);
			load(site, user, time, idle);
			user.release();
			fault.end.accept(site);

			soon().until(() -> user.isUp() && user.call());
			user.requireReleased(false);
			soon().until(() -> this.log.messages().size() == ours().size());
			assertThat(ours()).as("warnings of a node about a server")
				.hasSizeLessThanOrEqualTo(NODES * site.masters() * LOGS);
			soon().untilAsserted(() -> assertThat(requestsWhileIdle(site)).as("requests without calls")
				.isLessThanOrEqualTo(idle + NODES));
			assertThat(user.isUp()).isTrue();
			assertThat(site.connections()).isLessThanOrEqualTo(connections + NODES);
		}
	}

	/** Returns the warnings of Sluice; in a cluster the client warns, too. */
	private List<String> ours() {
		return this.log.warnings().stream().filter((text) -> text.startsWith("dev.sluice")).toList();
	}

	/** Heartbeats that are answered with errors are sent as often as before. */
	private void load(RedisTopology site, RedisUser user, Duration time, long idle) throws Exception {
		long begin = System.nanoTime();
		while (user.isUp() && System.nanoTime() - begin < time.toNanos()) {
			user.call();
		}
		boolean answered = false;
		long calls = 0;
		long before = site.requests();
		begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			answered |= user.call();
			calls++;
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		long attempts = site.requests() - before - calls * user.commandsOfACall();
		if (!answered) {
			assertThat(attempts / seconds / NODES).as("attempts a second and node")
				.isLessThanOrEqualTo(
						Math.max(ATTEMPTS_A_SECOND * site.masters(), MORE_THAN_IDLE * idle / NODES / IDLE.toSeconds()));
		}
	}

	private long requestsWhileIdle(RedisTopology site) {
		long before = site.requests();
		await().pollDelay(IDLE).atMost(IDLE.multipliedBy(3)).until(() -> true);
		return site.requests() - before;
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
	}

}
