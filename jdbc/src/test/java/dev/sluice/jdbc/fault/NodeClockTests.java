package dev.sluice.jdbc.fault;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Nodes whose clock is minutes behind the clock of the server, or ahead of it. */
@Execution(ExecutionMode.CONCURRENT)
class NodeClockTests {

	private static final String CLOCK = "clock_timestamp()";

	private static final Duration LEASE = Duration.ofSeconds(2);

	private static final Duration PERIOD = Duration.ofSeconds(2);

	private static final Duration LONG = Duration.ofDays(1);

	private final String schema = PostgresServer.newSchema();

	private final List<JdbcThrottleStore> stores = new ArrayList<>();

	@ParameterizedTest
	@ValueSource(ints = { 7, -7 })
	void clockOfTheServerDecides(int minutes) throws Exception {
		HikariDataSource pool = PostgresServer.pool();
		try (HikariDataSource otherPool = PostgresServer.pool()) {
			createTables(pool, minutes);
			ThrottlingManager node = node(pool);
			ThrottlingManager otherNode = node(otherPool);
			try {
				leasesEndInTime(node, otherNode);
				ratesEndInTime(node, otherNode, Duration.ofMinutes(minutes));
				assertThat(node.get("mutex").tryAcquire("dead").admitted()).isTrue();
				pool.close();
				soon().until(() -> otherNode.get("mutex").tryAcquire("dead").admitted());
			}
			finally {
				this.stores.forEach(JdbcThrottleStore::close);
			}
		}
		finally {
			pool.close();
		}
	}

	/** Creates functions for which the clock of the server shows another time. */
	private void createTables(HikariDataSource pool, int minutes) throws Exception {
		try (InputStream file = JdbcThrottleStore.class.getResourceAsStream("/dev/sluice/jdbc/schema-postgresql.sql");
				Connection connection = pool.getConnection();
				Statement statement = connection.createStatement()) {
			String script = new String(file.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(script).contains(CLOCK);
			statement.execute("CREATE SCHEMA " + Text.quoted(this.schema));
			statement.execute("SET search_path TO " + Text.quoted(this.schema));
			statement.execute(script.replace(CLOCK, "(" + CLOCK + " + interval '" + minutes + " minutes')"));
			statement.execute("RESET search_path");
		}
	}

	private ThrottlingManager node(HikariDataSource pool) throws SQLException {
		JdbcThrottleStore store = JdbcThrottleStore.builder(pool)
			.schema(this.schema)
			.timeout(Duration.ofSeconds(20))
			.lease(LEASE)
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build();
	}

	private void leasesEndInTime(ThrottlingManager node, ThrottlingManager otherNode) throws Exception {
		Throttle mutex = node.addOrUpdate("mutex", Limit.mutex());
		AtomicInteger lost = new AtomicInteger();
		Permit held = mutex.tryAcquire("k").permit();
		held.onLost(lost::incrementAndGet);
		CompletableFuture<Permit> next = otherNode.get("mutex").acquire("k", 1, LONG);
		soon().until(() -> mutex.state("k").waiting() == 1);

		Awaitility.await()
			.during(LEASE.multipliedBy(3).dividedBy(2))
			.atMost(LEASE.multipliedBy(3))
			.until(() -> lost.get() == 0 && !next.isDone() && this.stores.get(0).snapshot().nodes() == 2);
		held.close();
		Permit following = next.get(20, TimeUnit.SECONDS);
		assertThat(mutex.acquire("k", 1, Duration.ofMillis(100))).failsWithin(20, TimeUnit.SECONDS)
			.withThrowableThat()
			.withCauseInstanceOf(ThrottledException.class);
		following.close();
	}

	private void ratesEndInTime(ThrottlingManager node, ThrottlingManager otherNode, Duration ahead) {
		Throttle rate = node.addOrUpdate("rate", Limit.slidingLog(2, PERIOD));
		assertThat(rate.tryAcquire("k", 2).admitted()).isTrue();
		Decision rejected = otherNode.get("rate").tryAcquire("k");
		assertThat(rejected.reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(rejected.retryAfter()).isBetween(Duration.ofNanos(1), PERIOD);
		assertThat(otherNode.get("rate").state("k").resetAfter()).isBetween(Duration.ofNanos(1), PERIOD);
		soon().until(() -> rate.tryAcquire("k").admitted());

		Throttle semaphore = node.addOrUpdate("semaphore", Limit.semaphore(1));
		Permit permit = semaphore.tryAcquire("k").permit();
		try {
			Instant since = otherNode.get("semaphore").state("k").oldestHolder().orElseThrow().since();
			assertThat(since).isCloseTo(Instant.now().plus(ahead), within(20, ChronoUnit.SECONDS));
		}
		finally {
			permit.close();
		}
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20));
	}

}
