package dev.sluice.autoconfigure.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes with two callers each share a mutex, while their connections are
 * terminated, nodes lose their pool, and the server stops: nobody is inside beside
 * another. A holder believes that it is until it closes its permit or is told that it is
 * lost, so only the moment counts for nothing that this process takes to tell it.
 */
@Tag("hostile")
class JdbcMutexHostileTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration MOMENT = Duration.ofMillis(250);

	private static final Duration FAULT = LEASE.plusMillis(400);

	private static final String OTHERS = " FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
			+ "AND backend_type = 'client backend'";

	private final EmbeddedPostgres server = EmbeddedPostgres.start();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Queue<Holding> holdings = new ConcurrentLinkedQueue<>();

	JdbcMutexHostileTests() throws IOException {
	}

	@Test
	@Timeout(180)
	void nobodyIsInsideBesideAnother() throws Exception {
		List<Node> nodes = new ArrayList<>(List.of(new Node(), new Node(), new Node()));
		List<Node> all = new ArrayList<>(nodes);
		try {
			for (int round = 0; round < 2; round++) {
				for (Fault fault : Fault.values()) {
					int before = this.holdings.size();
					Node node = nodes.remove(0);
					List<ProcessHandle> stopped = happen(fault, node);
					await().pollDelay(FAULT).until(() -> true);
					signal("CONT", stopped);
					nodes.add((fault == Fault.NODE_DIES) ? new Node() : node);
					all.add(nodes.get(2));
					await().atMost(Duration.ofMinutes(1)).until(() -> this.holdings.size() > before + 10);
				}
			}
		}
		finally {
			all.forEach(Node::die);
			this.executor.shutdown();
			assertThat(this.executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
			this.server.close();
		}

		assertThat(overlaps()).isEmpty();
		assertThat(this.holdings.stream().sorted(Comparator.comparingLong(Holding::from)).map(Holding::token))
			.isSorted()
			.doesNotHaveDuplicates();
	}

	private List<ProcessHandle> happen(Fault fault, Node node) throws IOException, InterruptedException, SQLException {
		switch (fault) {
			case BACKENDS_DIE -> terminateBackends();
			case NODE_DIES -> node.die();
			case SERVER_STOPS -> {
				List<ProcessHandle> all = processes();
				signal("STOP", all);
				return all;
			}
			default -> throw new IllegalStateException();
		}
		return List.of();
	}

	private void terminateBackends() throws SQLException {
		try (Connection connection = this.server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_terminate_backend(pid)" + OTHERS);
		}
	}

	/** Returns those of the server, found by one that lives as long as its connection. */
	private List<ProcessHandle> processes() throws SQLException {
		try (Connection connection = this.server.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery("SELECT pg_backend_pid()")) {
			result.next();
			ProcessHandle postmaster = ProcessHandle.of(result.getLong(1)).flatMap(ProcessHandle::parent).orElseThrow();
			return Stream.concat(Stream.of(postmaster), postmaster.children()).toList();
		}
	}

	private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
		for (ProcessHandle process : processes) {
			new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
		}
	}

	private List<String> overlaps() {
		List<String> overlaps = new ArrayList<>();
		Holding longest = null;
		for (Holding holding : this.holdings.stream().sorted(Comparator.comparingLong(Holding::from)).toList()) {
			if (longest != null && longest.till - holding.from > (longest.lost ? MOMENT.toNanos() : 0)) {
				overlaps.add(holding + " began " + (longest.till - holding.from) + " before the end of " + longest);
			}
			if (longest == null || holding.till > longest.till) {
				longest = holding;
			}
		}
		return overlaps;
	}

	private enum Fault {

		BACKENDS_DIE, NODE_DIES, SERVER_STOPS

	}

	/** A time in which a holder believed that it held. */
	private record Holding(long token, long from, long till, boolean lost) {
	}

	/** A node with a pool of its own. */
	private final class Node {

		private final HikariDataSource pool = new HikariDataSource();

		private final JdbcThrottleStore store;

		private volatile boolean dead;

		Node() {
			this.pool.setJdbcUrl(JdbcMutexHostileTests.this.server.getJdbcUrl("postgres", "postgres"));
			this.pool.setMaximumPoolSize(4);
			this.pool.setConnectionTimeout(1_000);
			this.store = JdbcThrottleStore.builder(this.pool)
				.initializeSchema(true)
				.timeout(Duration.ofMillis(250))
				.lease(LEASE)
				.build();
			Throttle mutex = ThrottlingManager.builder().store(this.store).build().addOrUpdate("order", Limit.mutex());
			for (int i = 0; i < 2; i++) {
				JdbcMutexHostileTests.this.executor.execute(() -> call(mutex));
			}
		}

		private void call(Throttle mutex) {
			int turns = 0;
			while (!this.dead) {
				CompletableFuture<Permit> call = mutex.acquire("k", 1, Duration.ofDays(1));
				while (!this.dead && !call.isDone()) {
					waitFor(call);
				}
				if (call.isDone() && !call.isCompletedExceptionally()) {
					turns++;
					hold(call.join(), (turns % 10 == 0) ? FAULT : Duration.ofMillis(5));
				}
			}
		}

		private void waitFor(CompletableFuture<Permit> call) {
			try {
				call.get(50, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				// in line still
			}
			catch (ExecutionException ex) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private void hold(Permit permit, Duration time) {
			long from = System.nanoTime();
			AtomicLong till = new AtomicLong(Long.MAX_VALUE);
			CountDownLatch lost = new CountDownLatch(1);
			permit.onLost(() -> {
				till.set(System.nanoTime());
				lost.countDown();
			});
			long end = from + ThreadLocalRandom.current().nextLong(time.toNanos());
			while (!this.dead && lost.getCount() > 0 && System.nanoTime() < end) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			}
			till.accumulateAndGet(System.nanoTime(), Math::min);
			JdbcMutexHostileTests.this.holdings
				.add(new Holding(permit.fencingToken().orElseThrow(), from, till.get(), lost.getCount() == 0));
			if (!this.dead) {
				permit.close();
			}
		}

		/** Nothing of it reaches the server any more. */
		void die() {
			this.dead = true;
			this.pool.close();
			this.store.close();
		}

	}

}
