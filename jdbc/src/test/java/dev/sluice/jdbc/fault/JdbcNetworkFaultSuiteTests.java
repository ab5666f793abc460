package dev.sluice.jdbc.fault;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PgBouncer;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes under load during and after each fault of the network to a server, or to
 * PgBouncer in transaction mode: calls are answered in time, the log, the connections and
 * the attempts are bounded, and no state outlives the fault.
 */
@Isolated("counts the warnings of the process")
class JdbcNetworkFaultSuiteTests {

	private static final int NODES = 2;

	private static final int POOL_SIZE = 4;

	private static final int ATTEMPTS_A_SECOND = 10;

	private static final int WAITERS = 6;

	private static final int HELD = 20;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofDays(1);

	private final RecordedLog log = new RecordedLog();

	private final List<HikariDataSource> pools = new ArrayList<>();

	private final List<JdbcThrottleStore> stores = new ArrayList<>();

	private final List<ThrottlingManager> nodes = new ArrayList<>();

	private final List<Integer> served = new CopyOnWriteArrayList<>();

	private final String schema = PostgresServer.newSchema();

	private FaultyProxy network;

	@AfterEach
	void stop() throws Exception {
		this.stores.forEach(JdbcThrottleStore::close);
		this.pools.forEach(HikariDataSource::close);
		this.log.close();
		this.network.close();
	}

	@ParameterizedTest
	@EnumSource(names = "REFUSED")
	void faultEndsWithItsCause(NetworkFault fault) throws Exception {
		start(PostgresServer.url(), true);
		suffer(fault, Duration.ofMillis(1500));
	}

	@Tag("hostile")
	@ParameterizedTest
	@EnumSource
	void anyFaultEndsWithItsCause(NetworkFault fault) throws Exception {
		start(PostgresServer.url(), true);
		suffer(fault, Duration.ofSeconds(2));
	}

	@Tag("hostile")
	@ParameterizedTest
	@EnumSource(names = { "RESET", "BLACK_HOLE", "SLOW" })
	@EnabledIf("hasBouncer")
	void anyFaultBeforePgBouncerEndsWithItsCause(NetworkFault fault) throws Exception {
		try (PgBouncer bouncer = PgBouncer.start()) {
			start(bouncer.url() + "&prepareThreshold=0", false);
			suffer(fault, Duration.ofSeconds(2));
		}
	}

	static boolean hasBouncer() {
		return PgBouncer.isInstalled();
	}

	private void start(String url, boolean listen) {
		int port = URI.create(url.substring("jdbc:".length())).getPort();
		this.network = FaultyProxy.to(port);
		for (int i = 0; i < NODES; i++) {
			HikariDataSource pool = new HikariDataSource();
			pool.setJdbcUrl(url.replace(":" + port, ":" + this.network.port()));
			pool.setMaximumPoolSize(POOL_SIZE);
			pool.setMinimumIdle(0);
			pool.setConnectionTimeout(TIMEOUT.toMillis());
			this.pools.add(pool);
			JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
				.schema(this.schema)
				.initializeSchema(true)
				.poolSize(POOL_SIZE)
				.timeout(TIMEOUT)
				.listen(listen)
				.build();
			this.stores.add(store);
			this.nodes.add(ThrottlingManager.builder().store(store).build());
			define(this.nodes.get(i), "rate", Limit.fixedWindow(1_000_000, LONG));
			define(this.nodes.get(i), "mutex", Limit.mutex());
		}
	}

	/** Repeats what a busy machine has not had answered in time. */
	private static void define(ThrottlingManager node, String name, Limit limit) {
		soon().ignoreExceptionsInstanceOf(IllegalStateException.class)
			.until(() -> node.addOrUpdate(name, limit) != null);
	}

	private static Permit acquire(Throttle throttle, String key) {
		return soon().until(() -> throttle.tryAcquire(key), Decision::admitted).permit();
	}

	private void suffer(NetworkFault fault, Duration time) throws Exception {
		Throttle mutex = this.nodes.get(0).get("mutex");
		soon().until(this::call);
		Permit holder = acquire(mutex, "line");
		List<Permit> held = IntStream.range(0, HELD).mapToObj((i) -> acquire(mutex, "held" + i)).toList();
		for (int number = 0; number < WAITERS; number++) {
			enter(number);
		}
		this.log.clear();

		fault.begin.accept(this.network);
		if (fault.lasts) {
			await().atMost(Duration.ofMinutes(1)).until(() -> {
				call();
				return this.stores.stream().allMatch((store) -> store.snapshot().unavailable());
			});
		}
		held.forEach(Permit::close);
		load(time, fault.lasts);
		fault.end.accept(this.network);

		soon().until(this::call);
		holder.close();
		soon().untilAsserted(() -> assertThat(this.served).hasSize(WAITERS));
		assertThat(this.served).isEqualTo(IntStream.range(0, WAITERS).boxed().toList());
		soon().until(() -> mutex.snapshot(0).held() == 0);
		for (int i = 0; i < HELD; i++) {
			acquire(mutex, "held" + i);
		}
		soon().until(() -> this.log.messages().size() == this.log.warnings().size());
		// the pool and the store have the same timeout, and either may be first
		assertThat(this.log.warnings()).as("warnings")
			.hasSizeLessThanOrEqualTo(NODES)
			.allSatisfy((text) -> assertThat(text).containsPattern("SQLSTATE 08|has not answered|request timed out"));
		if (fault.lasts) {
			assertThat(this.log.warnings()).as("one warning a node").hasSize(NODES);
		}
	}

	private void enter(int number) {
		Throttle throttle = this.nodes.get(number % NODES).get("mutex");
		CompletableFuture<Permit> call = throttle.acquire("line", 1, LONG);
		call.thenAccept((permit) -> {
			this.served.add(number);
			permit.close();
		});
		soon().until(() -> throttle.state("line").waiting() == number + 1);
	}

	private void load(Duration time, boolean unavailable) throws Exception {
		long before = this.network.requests();
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			call();
			assertThat(this.network.connections()).as("connections").isLessThanOrEqualTo(NODES * POOL_SIZE);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		double attempts = (this.network.requests() - before) / seconds / NODES;
		if (unavailable) {
			assertThat(attempts).as("attempts a second and node").isLessThanOrEqualTo(ATTEMPTS_A_SECOND);
		}
	}

	/** Returns whether the database has decided a call of each node. */
	private boolean call() {
		boolean all = true;
		for (ThrottlingManager node : this.nodes) {
			long begin = System.nanoTime();
			all &= node.get("rate").tryAcquire("k").reason() != Decision.Reason.STORE;
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(TIMEOUT.plusSeconds(2));
		}
		return all;
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
	}

}
