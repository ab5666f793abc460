package dev.sluice.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What calls see while connections end, are all taken, or do not answer. */
class JdbcFaultTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final long PATIENCE = 60;

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private final HikariDataSource otherPool = PostgresServer.pool();

	private JdbcThrottleStore store;

	private JdbcThrottleStore otherStore;

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@BeforeEach
	void start() {
		this.pool.addDataSourceProperty("ApplicationName", this.schema.substring(9));
		this.pool.setConnectionTimeout(1_000);
		this.store = builder(this.pool).listen(false).timeout(Duration.ofSeconds(2)).build();
		this.otherStore = builder(this.otherPool).timeout(Duration.ofSeconds(PATIENCE)).build();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.otherNode = ThrottlingManager.builder().store(this.otherStore).build();
	}

	private JdbcThrottleStore.Builder builder(HikariDataSource dataSource) {
		return JdbcThrottleStore.builder(dataSource).schema(this.schema).initializeSchema(true);
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.otherStore.close();
		this.pool.close();
		this.otherPool.close();
	}

	@Test
	void limitsGoOnAfterTheirConnectionsWereTerminated() throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.slidingLog(10, LONG));
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		assertThat(rate.tryAcquire("k", 4).admitted()).isTrue();
		Permit held = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> waiting = this.otherNode.get("mutex").acquire("k", 1, LONG);
		soon().until(() -> mutex.state("k").waiting() == 1);

		terminate();

		soon().until(() -> rate.tryAcquire("k", 6).admitted());
		assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(waiting).isNotDone();
		held.close();
		waiting.get(PATIENCE, TimeUnit.SECONDS).close();
	}

	@Test
	void permitThatIsClosedWhileConnectionsEndIsGivenBack() throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		Throttle elsewhere = this.otherNode.get("mutex");
		for (int i = 0; i < 3; i++) {
			Permit[] permit = new Permit[1];
			soon().until(() -> {
				Decision decision = mutex.tryAcquire("k");
				permit[0] = decision.admitted() ? decision.permit() : permit[0];
				return decision.admitted();
			});
			terminate();
			permit[0].close();
			elsewhere.acquire("k", 1, LONG).get(PATIENCE, TimeUnit.SECONDS).close();
		}
	}

	@Test
	void releaseByOwnerThatCannotBeSentIsRepeatedAndLeavesLaterGrantsAlone() throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		Throttle elsewhere = this.otherNode.get("mutex");
		AcquireRequest request = AcquireRequest.of("mutex", "k").owner("owner");
		AcquireRequest other = AcquireRequest.of("mutex", "other").owner("owner");
		assertThat(this.node.tryAcquire(request).admitted()).isTrue();
		assertThat(this.node.tryAcquire(other).admitted()).isTrue();
		List<Connection> taken = new ArrayList<>();
		CompletableFuture<Boolean> released;
		CompletableFuture<Boolean> superseded;
		try {
			while (taken.size() < this.pool.getMaximumPoolSize()) {
				taken.add(this.pool.getConnection());
			}
			released = mutex.releaseAsync("k", "owner");
			superseded = mutex.releaseAsync("other", "owner");
			soon().until(() -> this.store.snapshot().unavailable());
			assertThat(elsewhere.release("other", "owner")).isTrue();
			// longer than a statement is under way, which is how exact the repetition is
			Awaitility.await().pollDelay(Duration.ofMillis(500)).atMost(Duration.ofSeconds(PATIENCE)).until(() -> true);
			assertThat(this.otherNode.tryAcquire(other).admitted()).isTrue();
		}
		finally {
			for (Connection connection : taken) {
				connection.close();
			}
		}

		assertThat(released).succeedsWithin(Duration.ofSeconds(PATIENCE)).isEqualTo(true);
		assertThat(superseded).succeedsWithin(Duration.ofSeconds(PATIENCE)).isEqualTo(false);
		elsewhere.acquire("k", 1, LONG).get(PATIENCE, TimeUnit.SECONDS).close();
		assertThat(elsewhere.state("other").used()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void policyDecidesWhileAllConnectionsAreTaken(FailurePolicy policy) throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.fixedWindow(8, LONG),
				LimitOptions.builder().failurePolicy(policy).build());
		assertThat(rate.tryAcquire("k").admitted()).isTrue();
		soon().until(() -> this.store.snapshot().nodes() == 2);
		List<Connection> taken = new ArrayList<>();
		try {
			while (taken.size() < this.pool.getMaximumPoolSize()) {
				taken.add(this.pool.getConnection());
			}
			int admitted = 0;
			for (int i = 0; i < 10; i++) {
				Decision decision = rate.tryAcquire("k");
				admitted += decision.admitted() ? 1 : 0;
				assertThat(decision.reason()).isIn(Decision.Reason.STORE, Decision.Reason.ADMITTED);
			}
			assertThat(admitted).isEqualTo(switch (policy) {
				case CLOSED -> 0;
				case OPEN -> 10;
				case LOCAL -> 4;
			});
			assertThat(this.store.snapshot().unavailable()).isTrue();
			CompletableFuture<Permit> call = rate.acquire("k", 1, Duration.ofMillis(10));
			if (policy == FailurePolicy.OPEN) {
				call.get(PATIENCE, TimeUnit.SECONDS);
			}
			else {
				assertThatThrownBy(() -> call.get(PATIENCE, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
					.hasCauseInstanceOf(ThrottledException.class);
			}
		}
		finally {
			for (Connection connection : taken) {
				connection.close();
			}
		}

		soon().until(() -> !this.store.snapshot().unavailable());
		assertThat(rate.state("k").used()).isEqualTo(1);
		assertThat(rate.tryAcquire("k", 7).admitted()).isTrue();
		assertThat(rate.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
	}

	@Test
	void callWhoseKeyIsLockedEndsInTimeAndTakesNothing() throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		try (Connection connection = this.otherPool.getConnection()) {
			connection.setAutoCommit(false);
			connection.setSchema(this.schema);
			try (Statement statement = connection.createStatement()) {
				statement.execute("SELECT sluice_lock(convert_to('mutex', 'UTF8'), convert_to('k', 'UTF8'))");
			}
			CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
			assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
			assertThatThrownBy(() -> waiting.get(PATIENCE, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
			connection.rollback();
		}

		this.otherNode.get("mutex").acquire("k", 1, LONG).get(PATIENCE, TimeUnit.SECONDS).close();
		soon().until(() -> mutex.tryAcquire("k").admitted());
	}

	@Test
	void permitWhoseLeaseEndsIsLostAndGranted() throws Exception {
		HikariDataSource third = PostgresServer.pool();
		JdbcThrottleStore dying = builder(third).lease(Duration.ofSeconds(1)).build();
		Throttle mutex = ThrottlingManager.builder().store(dying).build().addOrUpdate("mutex", Limit.mutex());
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Void> lost = new CompletableFuture<>();
		permit.onLost(() -> lost.complete(null));
		CompletableFuture<Permit> next = this.node.get("mutex").acquire("k", 1, LONG);

		third.close();

		Permit granted = next.get(PATIENCE, TimeUnit.SECONDS);
		lost.get(PATIENCE, TimeUnit.SECONDS);
		assertThat(granted.fencingToken().getAsLong()).isGreaterThan(permit.fencingToken().getAsLong());
		permit.close();
		dying.close();
	}

	@Test
	void lineWhoseFirstDiesWithTheHolderGoesOn() throws Exception {
		JdbcThrottleStore holding = builder(this.pool).lease(Duration.ofSeconds(1)).build();
		JdbcThrottleStore first = builder(this.pool).lease(Duration.ofSeconds(1)).build();
		Throttle mutex = ThrottlingManager.builder().store(holding).build().addOrUpdate("mutex", Limit.mutex());
		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
		ThrottlingManager.builder().store(first).build().get("mutex").acquire("k", 1, LONG);
		soon().until(() -> mutex.state("k").waiting() == 1);
		CompletableFuture<Permit> second = this.otherNode.get("mutex").acquire("k", 1, LONG);
		soon().until(() -> mutex.state("k").waiting() == 2);

		first.abandon();
		holding.abandon();

		second.get(PATIENCE, TimeUnit.SECONDS).close();
	}

	@Test
	@Tag("full")
	void permitIsRenewedForLongerThanItsLease() throws Exception {
		LimitOptions options = LimitOptions.builder().lease(Duration.ofSeconds(5)).build();
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex(), options);
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> next = this.otherNode.get("mutex").acquire("k", 1, LONG);
		CompletableFuture<Void> lost = new CompletableFuture<>();
		permit.onLost(() -> lost.complete(null));

		assertThatThrownBy(() -> next.get(6, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);

		assertThat(lost).isNotDone();
		permit.close();
		next.get(PATIENCE, TimeUnit.SECONDS);
	}

	@Test
	void noMoreIsGrantedThanTheLimitWhileConnectionsEnd() throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.tokenBucket(300, 1, LONG));
		Throttle elsewhere = this.otherNode.get("rate");
		AtomicInteger granted = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (Throttle each : List.of(rate, elsewhere, rate, elsewhere)) {
			Thread thread = new Thread(() -> {
				for (int i = 0; i < 150; i++) {
					if (each.tryAcquire("k").reason() == Decision.Reason.ADMITTED) {
						granted.incrementAndGet();
					}
				}
			});
			thread.start();
			threads.add(thread);
		}
		for (int i = 0; i < 5; i++) {
			LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
			terminate();
		}
		for (Thread thread : threads) {
			thread.join();
		}

		assertThat(granted.get()).isLessThanOrEqualTo(300);
		soon().until(() -> !rate.tryAcquire("k", 300).reason().equals(Decision.Reason.STORE));
		assertThat(granted.get()).isLessThanOrEqualTo(rate.state("k").used());
	}

	@Test
	void storeThatClosesGivesBackAndFailsWhoWaits() throws Exception {
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		soon().until(() -> mutex.state("k").waiting() == 1);

		this.store.close();

		assertThatThrownBy(() -> waiting.get(PATIENCE, TimeUnit.SECONDS)).hasCauseInstanceOf(ThrottledException.class);
		this.otherNode.get("mutex").acquire("k", 1, LONG).get(PATIENCE, TimeUnit.SECONDS).close();
		assertThat(this.node.tryAcquire(AcquireRequest.of("mutex", "k")).reason()).isEqualTo(Decision.Reason.STORE);
	}

	@Test
	void missingFunctionsEndTheStart() {
		JdbcThrottleStore.Builder builder = JdbcThrottleStore.builder(this.pool).schema("nowhere");

		assertThatThrownBy(builder::build).isInstanceOf(JdbcSchemaException.class)
			.hasMessageContaining("schema-postgresql.sql");
	}

	@Test
	void durabilityIsThatOfTheTable() {
		String unlogged = PostgresServer.newSchema();
		builder(this.pool).schema(unlogged).durability(Durability.UNLOGGED).build().close();

		assertThatThrownBy(builder(this.pool).schema(unlogged)::build).isInstanceOf(JdbcSchemaException.class)
			.hasMessageContaining("is unlogged")
			.hasMessageContaining("SET LOGGED");
		builder(this.pool).schema(unlogged).initializeSchema(false).durability(Durability.UNLOGGED).build().close();
	}

	@Test
	void tableOfOthersDoesNotBecomeUnlogged() {
		assertThatThrownBy(builder(this.pool).durability(Durability.UNLOGGED)::build)
			.isInstanceOf(JdbcSchemaException.class)
			.hasMessageContaining("is logged");
		assertThat(this.otherNode.addOrUpdate("rate", Limit.slidingLog(1, LONG)).tryAcquire().admitted()).isTrue();
		builder(this.pool).durability(Durability.FULL).build().close();
	}

	@Test
	void logOfManyPermitsIsRejected() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.node.addOrUpdate("log", Limit.slidingLog(1_001, LONG)))
			.withMessageContaining("'limit'");
	}

	private void terminate() throws SQLException {
		try (Connection connection = this.otherPool.getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
					+ this.schema.substring(9) + "'");
		}
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(Duration.ofSeconds(PATIENCE)).pollInterval(Duration.ofMillis(20));
	}

}
