package dev.sluice.jdbc.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PgBouncer;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two nodes under load during and after each fault: calls are answered, the log, the
 * connections and the attempts are bounded, and no state outlives the fault.
 */
@Isolated("counts the warnings of the process")
class JdbcFaultSuiteTests {

	private static final int ATTEMPTS_A_SECOND = 10;

	private static final int WAITERS = 6;

	private static final Duration LONG = Duration.ofDays(1);

	private final RecordedLog log = new RecordedLog();

	private JdbcFaultSite site;

	private JdbcThrottleStore store;

	private JdbcThrottleStore otherStore;

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@BeforeEach
	void start() throws Exception {
		start(new JdbcFaultSite());
	}

	private void start(JdbcFaultSite site) {
		Logger.getLogger("").addHandler(this.log);
		this.site = site;
		this.store = this.site.store().build();
		this.otherStore = this.site.store().build();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.otherNode = ThrottlingManager.builder().store(this.otherStore).build();
	}

	@AfterEach
	void stop() throws Exception {
		Logger.getLogger("").removeHandler(this.log);
		this.store.close();
		this.otherStore.close();
		this.site.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "READ_ONLY", "TABLES_LOCKED" })
	void faultEndsWithItsCause(JdbcFault fault) throws Exception {
		suffer(fault, Duration.ofMillis(1500));
	}

	@Tag("hostile")
	@ParameterizedTest
	@EnumSource(names = "PGBOUNCER_EXHAUSTED", mode = EnumSource.Mode.EXCLUDE)
	void anyFaultEndsWithItsCause(JdbcFault fault) throws Exception {
		suffer(fault, Duration.ofSeconds(6));
	}

	/** PgBouncer answers for a server to which it cannot log in. */
	@Tag("hostile")
	@ParameterizedTest
	@MethodSource
	@EnabledIf("hasBouncer")
	void anyFaultBehindPgBouncerEndsWithItsCause(JdbcFault fault) throws Exception {
		stop();
		String role = JdbcFaultSite.newName();
		try (PgBouncer bouncer = PgBouncer.start(role)) {
			start(new JdbcFaultSite(role, bouncer.url() + "&prepareThreshold=0", false));
			suffer(fault, Duration.ofSeconds(3), "");
			stop();
		}
		start();
	}

	/** Six of them; in full, all. */
	static Stream<JdbcFault> anyFaultBehindPgBouncerEndsWithItsCause() {
		return Boolean.getBoolean("sluice.test.full") ? Stream.of(JdbcFault.values())
				: Stream.of(JdbcFault.READ_ONLY, JdbcFault.TABLES_LOCKED, JdbcFault.NO_CONNECTIONS_LEFT,
						JdbcFault.POOL_EXHAUSTED, JdbcFault.PGBOUNCER_EXHAUSTED, JdbcFault.STOPPED);
	}

	static boolean hasBouncer() {
		return PgBouncer.isInstalled();
	}

	private void suffer(JdbcFault fault, Duration time) throws Exception {
		suffer(fault, time, fault.state);
	}

	private void suffer(JdbcFault fault, Duration time, String state) throws Exception {
		Throttle rate = this.node.addOrUpdate("rate", Limit.fixedWindow(1_000_000, LONG));
		Throttle otherRate = this.otherNode.get("rate");
		Throttle mutex = this.node.addOrUpdate("mutex", Limit.mutex());
		Permit holder = mutex.tryAcquire("k").permit();
		List<CompletableFuture<Permit>> line = line(mutex);
		List<Permit> held = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			held.add(mutex.tryAcquire("held" + i).permit());
		}
		soon().until(() -> call(rate) && call(otherRate));
		this.log.records.clear();

		fault.begin(this.site);
		await().atMost(Duration.ofSeconds(15)).until(() -> {
			call(rate);
			call(otherRate);
			return this.store.snapshot().unavailable() && this.otherStore.snapshot().unavailable();
		});
		held.forEach(Permit::close);
		long before = this.site.attempts();
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < time.toNanos()) {
			call(rate);
			call(otherRate);
			assertThat(this.site.backends()).isLessThanOrEqualTo(2 * JdbcFaultSite.POOL_SIZE);
			LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		assertThat((this.site.attempts() - before) / seconds / 2).as("attempts a second and node")
			.isLessThanOrEqualTo(ATTEMPTS_A_SECOND);
		fault.end(this.site);

		soon().until(() -> call(rate) && call(otherRate));
		holder.close();
		for (CompletableFuture<Permit> waiter : line) {
			Permit permit = waiter.get(10, TimeUnit.SECONDS);
			assertThat(line.stream().filter((each) -> !each.isDone()).count())
				.isEqualTo(line.size() - line.indexOf(waiter) - 1L);
			permit.close();
		}
		soon().until(() -> mutex.snapshot(0).held() == 0);
		for (int i = 0; i < held.size(); i++) {
			int number = i;
			soon().until(() -> mutex.tryAcquire("held" + number).admitted());
		}
		soon().until(() -> this.log.texts(Level.INFO).size() == this.log.texts(Level.WARNING).size());
		assertThat(this.log.texts(Level.WARNING)).as("one warning a node").hasSize(2);
		assertThat(this.log.texts(Level.WARNING)).allSatisfy((text) -> assertThat(text).contains(state));
	}

	private List<CompletableFuture<Permit>> line(Throttle mutex) {
		List<CompletableFuture<Permit>> line = new ArrayList<>();
		for (int i = 0; i < WAITERS; i++) {
			int number = i;
			line.add(((i % 2 == 0) ? this.node : this.otherNode).get("mutex").acquire("k", 1, LONG));
			soon().until(() -> mutex.state("k").waiting() == number + 1);
		}
		return line;
	}

	/** Returns whether the database has decided. */
	private static boolean call(Throttle rate) {
		return rate.tryAcquire("k").reason() != Decision.Reason.STORE;
	}

	private static ConditionFactory soon() {
		return await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(20));
	}

	/** What the store has logged. */
	private static final class RecordedLog extends Handler {

		private final List<LogRecord> records = new CopyOnWriteArrayList<>();

		@Override
		public void publish(LogRecord entry) {
			if (String.valueOf(entry.getLoggerName()).startsWith("dev.sluice")) {
				this.records.add(entry);
			}
		}

		private List<String> texts(Level level) {
			return this.records.stream()
				.filter((entry) -> entry.getLevel().equals(level)
						|| level == Level.WARNING && entry.getLevel() == Level.SEVERE)
				.map(LogRecord::getMessage)
				.toList();
		}

		@Override
		public void flush() {
			// nothing is kept back
		}

		@Override
		public void close() {
			// nothing is open
		}

	}

}
