package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.redis.fault.RedisUser.Feature;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes under load, with each feature as the only one that uses Redis, during and
 * after each fault: calls are answered, the log, the connections and the attempts are
 * bounded, and no state outlives the fault.
 */
@Isolated("counts the warnings of the process")
class RedisFaultSuiteTests {

	private static final int NODES = 2;

	private static final Duration TIMEOUT = Duration.ofMillis(300);

	private static final int ATTEMPTS_A_SECOND = 10;

	/** Time in which commands are counted while no call is made. */
	private static final Duration IDLE = Duration.ofSeconds(1);

	/** Connections of a node that are being replaced. */
	private static final int REPLACED = 1;

	private final RecordedLog log = new RecordedLog();

	private final RedisFaultSite site = new RedisFaultSite();

	@AfterEach
	void stop() throws Exception {
		this.log.close();
		this.site.close();
	}

	@ParameterizedTest
	@MethodSource
	void faultEndsWithItsCause(RedisFault fault, Feature feature) throws Exception {
		suffer(fault, feature, Duration.ofMillis(1500));
	}

	static Stream<Arguments> faultEndsWithItsCause() {
		return Stream.of(Arguments.of(RedisFault.STOPPED, Feature.ALL.get(2)),
				Arguments.of(RedisFault.OUT_OF_MEMORY, Feature.ALL.get(0)));
	}

	@Tag("hostile")
	@ParameterizedTest
	@MethodSource
	void anyFaultOfAnyFeatureEndsWithItsCause(RedisFault fault, Feature feature) throws Exception {
		suffer(fault, feature, Duration.ofSeconds(2));
	}

	/**
	 * Each fault with limits, and each other feature with one fault; where tests run in
	 * full, each fault with each of them.
	 */
	static Stream<Arguments> anyFaultOfAnyFeatureEndsWithItsCause() {
		return Stream.of(RedisFault.values())
			.flatMap((fault) -> features(fault).map((feature) -> Arguments.of(fault, feature)));
	}

	private static Stream<Feature> features(RedisFault fault) {
		return Boolean.getBoolean("sluice.test.full") ? Feature.ALL.stream()
				: Stream.of(Feature.ALL.get(0), Feature.ALL.get(1 + fault.ordinal() / 3 % (Feature.ALL.size() - 1)))
					.limit((fault.ordinal() % 3 == 0) ? 2 : 1);
	}

	private void suffer(RedisFault fault, Feature feature, Duration time) throws Exception {
		try (RedisUser user = feature.starts().start(this.site.access(), NODES, TIMEOUT)) {
			await().atMost(Duration.ofSeconds(30)).until(() -> user.isUp() && user.call());
			long idle = requestsWhileIdle();
			int connections = this.site.network().connections();
			user.take();
			this.log.clear();

			long opened = this.site.network().opened();
			fault.begin.accept(this.site, time);
			boolean down = load(user, time, connections);
			if (fault.keepsConnections()) {
				assertThat(this.site.network().opened()).as("connections opened").isEqualTo(opened);
			}
			if (down) {
				assertThat(this.log.warnings()).as("one warning a node at the begin").hasSize(NODES);
			}
			fault.end.accept(this.site);

			soon().until(() -> user.isUp() && user.call());
			user.requireReleased(fault.forgets());
			soon().until(() -> this.log.messages().size() == this.log.warnings().size());
			assertThat(this.log.messages()).noneMatch((text) -> text.endsWith("after 0 ms"));
			assertThat(this.log.warnings()).as("one warning a node at most").hasSizeLessThanOrEqualTo(NODES);
			assertThat(this.log.warnings()).allSatisfy((text) -> assertThat(text).containsPattern(fault.cause));
			soon().untilAsserted(() -> assertThat(requestsWhileIdle()).as("requests without calls")
				.isLessThanOrEqualTo(idle + NODES));
			assertThat(user.isUp()).isTrue();
			assertThat(this.site.network().connections()).isLessThanOrEqualTo(connections);
		}
		assertThat(this.log.warnings()).as("warnings until the end").hasSizeLessThanOrEqualTo(NODES);
	}

	/**
	 * Makes calls until Redis counts as unavailable, and from then on for a time in which
	 * the attempts are counted.
	 * @return whether Redis has counted as unavailable for that time
	 */
	private boolean load(RedisUser user, Duration time, int connections) throws Exception {
		long begin = System.nanoTime();
		while (user.isUp() && System.nanoTime() - begin < time.toNanos()) {
			user.call();
		}
		user.release();
		// the releases are sent at once, and are no attempts
		requestsWhileIdle();
		boolean answered = false;
		boolean up = false;
		long calls = 0;
		long before = this.site.network().requests();
		begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			answered |= user.call();
			up |= user.isUp();
			calls++;
			assertThat(this.site.network().connections()).isLessThanOrEqualTo(connections + NODES * REPLACED);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		long attempts = this.site.network().requests() - before - calls * user.commandsOfACall();
		if (!answered) {
			assertThat(attempts / seconds / NODES).as("attempts a second and node")
				.isLessThanOrEqualTo(ATTEMPTS_A_SECOND);
		}
		return !up;
	}

	/** Returns how many requests are sent while no call is made. */
	private long requestsWhileIdle() {
		long before = this.site.network().requests();
		await().pollDelay(IDLE).atMost(IDLE.multipliedBy(3)).until(() -> true);
		return this.site.network().requests() - before;
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
	}

}
