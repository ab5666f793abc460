package dev.sluice.jdbc.growth;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PostgresServer;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of one node for 1,000 new keys a second, and for keys that stay, on a server with
 * autovacuum at its defaults: rows disappear in time, and neither the tables nor the cost
 * of a call grow.
 */
@Tag("hostile")
@Timeout(value = 1, unit = TimeUnit.HOURS)
@Isolated("measures times")
class JdbcGrowthHostileTests {

	/** A million calls take {@code -Dsluice.growth.calls=1000000}. */
	private static final long CALLS = Long.getLong("sluice.growth.calls", 30_000);

	private static final int NEW_KEYS_A_SECOND = 1_000;

	private static final int NEWCOMERS = 8;

	private static final int REGULARS = 2;

	private static final Duration PERIOD = Duration.ofSeconds(2);

	/** Lifetime of a row after its key is unused again, as the page states it. */
	private static final Duration LIFETIME = Duration.ofSeconds(10);

	private static final Duration SAMPLE = Duration.ofMillis(1100);

	private static final Duration BUSY = Duration.ofSeconds(10);

	private static final long MARGIN = 8 << 20;

	private final String schema = PostgresServer.newSchema();

	private final HikariDataSource pool = PostgresServer.pool();

	private final List<TableSample> samples = new ArrayList<>();

	private final LongAdder newKeys = new LongAdder();

	private final LongAdder regularCalls = new LongAdder();

	private final LongAdder regularNanos = new LongAdder();

	private final LongAdder undecided = new LongAdder();

	private final AtomicBoolean ended = new AtomicBoolean();

	private JdbcThrottleStore store;

	private ThrottlingManager node;

	@BeforeEach
	void start() {
		this.store = JdbcThrottleStore.builder(this.pool)
			.schema(this.schema)
			.initializeSchema(true)
			.timeout(BUSY)
			.build();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.node.addOrUpdate("new", Limit.slidingLog(10, PERIOD));
		this.node.addOrUpdate("bucket", Limit.tokenBucket(1_000, 1_000, PERIOD));
		this.node.addOrUpdate("log", Limit.slidingLog(100, PERIOD));
		this.node.addOrUpdate("mutex", Limit.mutex());
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.pool.close();
	}

	@Test
	void tablesAndCostsDoNotGrow() throws Exception {
		List<CompletableFuture<Void>> callers = new ArrayList<>();
		for (int i = 0; i < NEWCOMERS; i++) {
			int number = i;
			callers.add(run(() -> useNewKeys(number)));
		}
		for (int i = 0; i < REGULARS; i++) {
			callers.add(run(this::useSameKeys));
		}
		long begin = System.nanoTime();
		try (TableMeter meter = new TableMeter(this.schema)) {
			while (calls() < CALLS && callers.stream().noneMatch(CompletableFuture::isDone)) {
				LockSupport.parkNanos(SAMPLE.toNanos());
				sample(meter);
			}
		}
		double seconds = (System.nanoTime() - begin) / 1e9;
		this.ended.set(true);
		CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
		System.out.printf("%d calls, %.0f a second; %d new keys, %.0f a second; %d undecided%n", calls(),
				calls() / seconds, this.newKeys.sum(), this.newKeys.sum() / seconds, this.undecided.sum());

		List<TableSample> parts = TableSample.merged(this.samples, 6);
		parts.forEach(System.out::println);
		assertThat(this.undecided.sum()).as("undecided").isZero();
		TableSample middle = TableSample.merged(parts.subList(2, 4), 1).get(0);
		TableSample last = TableSample.merged(parts.subList(4, 6), 1).get(0);
		assertThat(last.overdue()).as("lifetime").isLessThan(LIFETIME);
		assertThat(middle.overdue()).as("lifetime").isLessThan(LIFETIME);
		assertThat(last.bytes()).as("bytes").isLessThan(middle.bytes() * 5 / 4 + MARGIN);
		assertThat(last.pages()).as("pages a call").isLessThan(middle.pages() * 3 / 2 + 1);
		assertThat(last.micros()).as("microseconds a call").isLessThan(3 * middle.micros());
	}

	private long calls() {
		return this.newKeys.sum() + this.regularCalls.sum();
	}

	private void sample(TableMeter meter) throws SQLException {
		this.samples.add(meter.sample(this.newKeys.sum(), this.regularCalls.sum(), this.regularNanos.sum()));
	}

	private static CompletableFuture<Void> run(Runnable caller) {
		CompletableFuture<Void> end = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				caller.run();
				end.complete(null);
			}
			catch (RuntimeException | Error ex) {
				end.completeExceptionally(ex);
			}
		}, "caller");
		thread.setDaemon(true);
		thread.start();
		return end;
	}

	/** Uses each key once, and catches up with the pace. */
	private void useNewKeys(int caller) {
		Throttle limit = this.node.get("new");
		long begin = System.nanoTime();
		long pause = TimeUnit.SECONDS.toNanos(NEWCOMERS) / NEW_KEYS_A_SECOND;
		for (long i = 0; !this.ended.get(); i++) {
			decided(limit.tryAcquire("key " + caller + '-' + i));
			this.newKeys.increment();
			LockSupport.parkNanos(begin + i * pause - System.nanoTime());
		}
	}

	private void useSameKeys() {
		for (int i = 0; !this.ended.get(); i++) {
			String key = "key " + i % 16;
			long begin = System.nanoTime();
			switch (i % 4) {
				case 0 -> decided(this.node.get("bucket").tryAcquire(key));
				case 1 -> decided(this.node.get("log").tryAcquire(key));
				case 2 -> decided(this.node.get("mutex").tryAcquire(key));
				default -> this.node.get("mutex").acquire("line", 1, BUSY).thenAccept(Permit::close).join();
			}
			this.regularNanos.add(System.nanoTime() - begin);
			this.regularCalls.increment();
		}
	}

	private void decided(Decision decision) {
		if (decision.admitted()) {
			decision.permit().close();
		}
		else if (decision.reason() == Decision.Reason.STORE) {
			this.undecided.increment();
		}
	}

}
