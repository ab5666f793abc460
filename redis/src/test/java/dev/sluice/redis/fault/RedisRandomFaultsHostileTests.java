package dev.sluice.redis.fault;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes with limits and a bus under load, in a series of random faults. After each
 * fault, and at the end, all states are those of an idle node.
 */
@Tag("hostile")
@EnabledIfSystemProperty(named = "sluice.history.seconds", matches = "\\d{3,}",
		disabledReason = "-Dsluice.history.seconds=100 or more runs it")
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Isolated("counts the warnings of the process")
class RedisRandomFaultsHostileTests {

	/** An hour takes {@code -Dsluice.history.seconds=3600}. */
	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sluice.history.seconds", 20));

	private static final Duration SHORTEST = Duration.ofMillis(200);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final int NODES = 3;

	/** Each node logs for its limits, for its bus, and for the messages to that. */
	private static final int LOGS = 3 * NODES;

	private static final Duration RECOVERED = Duration.ofSeconds(10);

	private static final Duration PACE = Duration.ofMillis(150);

	/** Bytes by which the memory in use may grow. */
	private static final long MEMORY = 32 << 20;

	private static final Duration IDLE = Duration.ofSeconds(2);

	private final long seed = Long.getLong("sluice.history.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final RecordedLog log = new RecordedLog();

	private final RedisFaultSite site = new RedisFaultSite();

	private final LimitsUser limits = RedisUser.limits(this.site.access(), NODES, TIMEOUT);

	private final RedisUser bus = RedisUser.bus(this.site.access(), NODES, TIMEOUT);

	private final Map<RedisFault, Integer> faults = new EnumMap<>(RedisFault.class);

	private final Map<RedisFault, Long> recoveries = new EnumMap<>(RedisFault.class);

	private long busCalls;

	private long busFailures;

	private int warnings;

	private int messages;

	@AfterEach
	void stop() throws Exception {
		this.bus.close();
		this.limits.close();
		this.log.close();
		this.site.close();
		System.out.printf(
				"Seed %d: faults %s; limits %s; bus: %d calls, %d failed; %d warnings, %d messages; "
						+ "longest recovery in ms %s%n",
				this.seed, this.faults, this.limits, this.busCalls, this.busFailures, this.warnings, this.messages,
				this.recoveries);
	}

	@Test
	void noFaultLeavesAnything() throws Exception {
		long begin = System.nanoTime();
		await().atMost(Duration.ofSeconds(30)).until(this::isRecovered);
		long idle = requestsWhileIdle();
		int connections = this.site.network().connections();
		List<String> threads = threads();
		long memory = usedMemory();
		while (System.nanoTime() - begin < TIME.toNanos()) {
			suffer(RedisFault.values()[this.random.nextInt(RedisFault.values().length)]);
		}
		soon().untilAsserted(() -> assertThat(requestsWhileIdle())
			.as("requests while idle; the last are %s", this.site.network().lastRequests())
			.isLessThanOrEqualTo(idle + NODES));
		assertThat(this.site.network().connections()).isEqualTo(connections);
		await().atMost(RECOVERED.multipliedBy(3))
			.untilAsserted(() -> assertThat(threads()).containsExactlyElementsOf(threads));
		assertThat(usedMemory()).as("bytes in use").isLessThan(memory + MEMORY);
		assertThat(isRecovered()).isTrue();
	}

	private static long usedMemory() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	/**
	 * Returns the names of Sluice's threads. Idle threads of nodes end after some
	 * seconds.
	 */
	private static List<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("sluice-"))
			.sorted()
			.toList();
	}

	private void suffer(RedisFault fault) throws Exception {
		Duration time = Duration.ofMillis(
				(long) Math.exp(this.random.nextDouble(Math.log(SHORTEST.toMillis()), Math.log(LONGEST.toMillis()))));
		System.out.println(fault + " for " + time);
		this.faults.merge(fault, 1, Integer::sum);
		this.limits.take();
		this.log.clear();

		fault.begin.accept(this.site, time);
		load(time);
		this.limits.release();
		fault.end.accept(this.site);

		long end = System.nanoTime();
		await().atMost(RECOVERED).pollInterval(Duration.ofMillis(20)).until(this::isRecovered);
		this.recoveries.merge(fault, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end), Math::max);
		this.limits.requireReleased(fault.forgets());
		soon().until(() -> this.log.messages().size() == this.log.warnings().size());
		assertThat(this.log.messages()).noneMatch((text) -> text.endsWith("after 0 ms"));
		List<String> warnings = this.log.warnings();
		assertThat(warnings).hasSizeLessThanOrEqualTo(LOGS)
			.allSatisfy((text) -> assertThat(text)
				.containsPattern(fault.cause + "|did not answer|delivers no messages|Connection|connect"));
		this.warnings += warnings.size();
		this.messages += this.log.messages().size();
		load(Duration.ofMillis(this.random.nextInt(2000)));
	}

	private boolean isRecovered() throws Exception {
		return this.limits.isUp() && this.bus.isUp() && this.limits.call() && callBus();
	}

	private void load(Duration time) throws Exception {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			this.limits.call();
			callBus();
			LockSupport.parkNanos(PACE.toNanos());
		}
	}

	private boolean callBus() throws Exception {
		this.busCalls += NODES;
		boolean answered = this.bus.call();
		this.busFailures += answered ? 0 : 1;
		return answered;
	}

	private long requestsWhileIdle() {
		long before = this.site.network().requests();
		await().pollDelay(IDLE).atMost(IDLE.multipliedBy(3)).until(() -> true);
		return this.site.network().requests() - before;
	}

	private static ConditionFactory soon() {
		return await().atMost(RECOVERED).pollInterval(Duration.ofMillis(20));
	}

}
