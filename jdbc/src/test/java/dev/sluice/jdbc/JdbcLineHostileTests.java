package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes with two callers each in the line of every kind of limit, for keys outside
 * ASCII, while nodes are closed and connections are terminated. No line stands still for
 * anything like a lease, and no rate is faster than its limit.
 */
@Tag("hostile")
class JdbcLineHostileTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration LEASE = Duration.ofSeconds(60);

	/** For permits that are held when a node is closed. */
	private static final LimitOptions OPTIONS = LimitOptions.builder().lease(Duration.ofSeconds(4)).build();

	private static final Duration PERIOD = Duration.ofMillis(500);

	private static final int LIMIT = 5;

	private static final String KEY = "Müller 北京 \uD83D\uDEA6 \uD800";

	private static final List<Limit> LIMITS = List.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
			Limit.slidingWindow(LIMIT, PERIOD, 2), Limit.dynamicWindow(LIMIT, 1, LIMIT, PERIOD, 2),
			Limit.tokenBucket(LIMIT, LIMIT, PERIOD), Limit.mutex(), Limit.semaphore(2));

	private final String schema = PostgresServer.newSchema();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<Line> lines = LIMITS.stream().map(Line::new).toList();

	private final List<Node> nodes = new ArrayList<>();

	JdbcLineHostileTests() {
		for (int i = 0; i < 3; i++) {
			this.nodes.add(new Node());
		}
	}

	@AfterEach
	void close() throws InterruptedException {
		this.nodes.forEach(Node::close);
		this.executor.shutdown();
		assertThat(this.executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	@Timeout(120)
	void linesOfRatesGoOnAtTheirPace() {
		allGoOn();
		int periods = 8;
		List<Integer> before = granted();
		long start = System.nanoTime();
		await().pollDelay(PERIOD.multipliedBy(periods)).until(() -> true);
		List<Integer> after = granted();
		int most = (int) ((System.nanoTime() - start) / PERIOD.toNanos() + 3) * LIMIT;

		for (int i = 0; i < LIMITS.size(); i++) {
			if (!LIMITS.get(i).isHeld()) {
				assertThat(after.get(i) - before.get(i)).as(LIMITS.get(i).type()).isBetween(LIMIT, most);
			}
		}
	}

	@Test
	@Timeout(240)
	void linesGoOnWhenNodesAreClosed() {
		for (int round = 0; round < 3; round++) {
			this.nodes.remove(0).close();
			allGoOn();
			this.nodes.add(new Node());
		}
	}

	@Test
	@Timeout(240)
	void linesGoOnWhenConnectionsAreTerminated() throws Exception {
		for (int round = 0; round < 3; round++) {
			try (Connection connection = DriverManager.getConnection(PostgresServer.url());
					Statement statement = connection.createStatement()) {
				statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
						+ this.schema.substring(9) + "'");
			}
			allGoOn();
		}
	}

	private List<Integer> granted() {
		return this.lines.stream().map((line) -> line.granted.get()).toList();
	}

	/** Expects that each line serves several calls, within a fraction of a lease. */
	private void allGoOn() {
		List<Integer> before = granted();
		await().atMost(LEASE.dividedBy(2)).untilAsserted(() -> {
			for (int i = 0; i < before.size(); i++) {
				Line line = this.lines.get(i);
				assertThat(line.granted.get()).as(line.limit.type()).isGreaterThan(before.get(i) + 2 * LIMIT);
			}
		});
	}

	/** A line, and how many it has served. */
	private static final class Line {

		final Limit limit;

		final AtomicInteger granted = new AtomicInteger();

		Line(Limit limit) {
			this.limit = limit;
		}

	}

	/** A node with two callers in each line, until it is closed. */
	private final class Node {

		private final HikariDataSource pool = PostgresServer.pool();

		private final JdbcThrottleStore store;

		private volatile boolean closed;

		Node() {
			this.pool.addDataSourceProperty("ApplicationName", JdbcLineHostileTests.this.schema.substring(9));
			this.pool.setConnectionTimeout(2_000);
			this.store = JdbcThrottleStore.builder(this.pool)
				.schema(JdbcLineHostileTests.this.schema)
				.initializeSchema(true)
				.timeout(Duration.ofSeconds(2))
				.lease(LEASE)
				.build();
			ThrottlingManager manager = ThrottlingManager.builder().store(this.store).build();
			for (Line line : JdbcLineHostileTests.this.lines) {
				Throttle throttle = manager.addOrUpdate("zoé-" + line.limit.type(), line.limit, OPTIONS);
				for (int i = 0; i < 2; i++) {
					JdbcLineHostileTests.this.executor.execute(() -> call(throttle, line));
				}
			}
		}

		private void call(Throttle throttle, Line line) {
			while (!this.closed) {
				CompletableFuture<Permit> call = throttle.acquire(KEY, 1, LONG);
				try {
					call.get(40, TimeUnit.SECONDS).close();
					line.granted.incrementAndGet();
				}
				catch (ExecutionException ex) {
					LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
				}
				catch (TimeoutException | InterruptedException ex) {
					call.cancel(false);
				}
			}
		}

		void close() {
			this.closed = true;
			this.store.close();
			this.pool.close();
		}

	}

}
