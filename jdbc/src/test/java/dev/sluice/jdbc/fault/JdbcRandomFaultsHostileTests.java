package dev.sluice.jdbc.fault;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.jdbc.PgBouncer;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.FaultyProxy;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes under load, in a series of random faults. After each fault, all states are
 * those of an idle node.
 */
@Tag("hostile")
@Timeout(value = 2, unit = TimeUnit.HOURS)
@Isolated("counts the warnings of the process")
class JdbcRandomFaultsHostileTests {

	/** An hour takes {@code -Dsluice.history.seconds=3600}. */
	private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("sluice.history.seconds", 20));

	private static final Duration SHORTEST = Duration.ofMillis(200);

	/** Half a minute, unless the test is a short one. */
	private static final Duration LONGEST = Duration.ofSeconds(Math.max(10, Math.min(30, TIME.toSeconds() / 4)));

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final int NODES = 3;

	private static final int CONNECTIONS = NODES * JdbcFaultSite.POOL_SIZE;

	private static final Duration RECOVERED = Duration.ofSeconds(10);

	private static final Duration PACE = Duration.ofMillis(50);

	/** Bytes by which the memory in use may grow. */
	private static final long MEMORY = 32 << 20;

	private static final Duration IDLE = Duration.ofSeconds(2);

	private final long seed = Long.getLong("sluice.history.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final RecordedLog log = new RecordedLog();

	private final Map<String, Integer> faults = new TreeMap<>();

	private final Map<String, Long> recoveries = new TreeMap<>();

	private FaultyProxy network;

	private PgBouncer bouncer;

	private JdbcFaultSite site;

	private LimitsUser limits;

	private long idle;

	private int warnings;

	private int messages;

	static boolean hasBouncer() {
		return PgBouncer.isInstalled();
	}

	private void start(int port, String name, String settings) throws Exception {
		this.network = FaultyProxy.to(port);
		this.site = new JdbcFaultSite(name,
				"jdbc:postgresql://127.0.0.1:" + this.network.port() + "/postgres?user=postgres" + settings,
				settings.isEmpty());
		this.limits = new LimitsUser(this.site, NODES, TIMEOUT);
	}

	@AfterEach
	void stop() throws Exception {
		System.out.printf("Seed %d: faults %s; %s; %d warnings, %d messages; longest recovery in ms %s%n", this.seed,
				this.faults, this.limits, this.warnings, this.messages, this.recoveries);
		this.limits.close();
		this.site.close();
		this.network.close();
		this.log.close();
		if (this.bouncer != null) {
			this.bouncer.close();
		}
	}

	@Test
	void noFaultLeavesAnything() throws Exception {
		start(URI.create(PostgresServer.url().substring("jdbc:".length())).getPort(), JdbcFaultSite.newName(), "");
		sufferAll();
	}

	@Test
	@EnabledIf("hasBouncer")
	void noFaultLeavesAnythingBehindPgBouncer() throws Exception {
		String name = JdbcFaultSite.newName();
		this.bouncer = PgBouncer.start(name);
		start(this.bouncer.port(), name, "&prepareThreshold=0");
		sufferAll();
	}

	private void sufferAll() throws Exception {
		long begin = System.nanoTime();
		await().atMost(Duration.ofSeconds(30)).until(this::isRecovered);
		this.idle = statementsWhileIdle();
		int threads = Thread.activeCount();
		long memory = usedMemory();
		List<RandomFault> all = RandomFault.all(this.site, this.network);
		while (System.nanoTime() - begin < TIME.toNanos()) {
			suffer(all.get(this.random.nextInt(all.size())));
			soon().untilAsserted(() -> assertThat(Thread.activeCount()).as("threads")
				.isLessThanOrEqualTo(threads + 2 * CONNECTIONS));
		}
		assertThat(usedMemory()).as("bytes in use").isLessThan(memory + MEMORY);
		assertThat(isRecovered()).isTrue();
	}

	private static long usedMemory() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private void suffer(RandomFault fault) throws Exception {
		Duration time = Duration.ofMillis(
				(long) Math.exp(this.random.nextDouble(Math.log(SHORTEST.toMillis()), Math.log(LONGEST.toMillis()))));
		System.out.println(fault.name() + " for " + time);
		this.faults.merge(fault.name(), 1, Integer::sum);
		this.limits.take();
		this.log.clear();

		fault.begin().run();
		load(time);
		this.limits.release();
		fault.end().run();

		long end = System.nanoTime();
		await().atMost(RECOVERED).pollInterval(Duration.ofMillis(20)).until(this::isRecovered);
		this.recoveries.merge(fault.name(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end), Math::max);
		this.limits.requireReleased(this.site);
		soon().untilAsserted(() -> assertThat(this.log.messages()).hasSameSizeAs(this.log.warnings()));
		assertThat(this.log.warnings()).hasSizeLessThanOrEqualTo(NODES);
		this.warnings += this.log.warnings().size();
		this.messages += this.log.messages().size();
		soon().untilAsserted(() -> assertThat(statementsWhileIdle()).as("statements while idle")
			.isLessThanOrEqualTo(this.idle + 2 * NODES));
		load(Duration.ofMillis(this.random.nextInt(2000)));
	}

	private boolean isRecovered() {
		return this.limits.isUp() && this.limits.call();
	}

	private void load(Duration time) {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			this.limits.call();
			soon()
				.untilAsserted(() -> assertThat(this.site.backends()).as("backends").isLessThanOrEqualTo(CONNECTIONS));
			LockSupport.parkNanos(PACE.toNanos());
		}
	}

	private long statementsWhileIdle() {
		long before = this.site.attempts();
		LockSupport.parkNanos(IDLE.toNanos());
		return this.site.attempts() - before;
	}

	private static ConditionFactory soon() {
		return await().atMost(RECOVERED).pollInterval(Duration.ofMillis(20));
	}

}
