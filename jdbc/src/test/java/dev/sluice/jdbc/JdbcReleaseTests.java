package dev.sluice.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Many calls of one node at once: they are no fault of the database. */
class JdbcReleaseTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final HikariDataSource pool = PostgresServer.pool();

	private JdbcThrottleStore store;

	private ThrottlingManager node;

	private Throttle mutex;

	private void start(Duration timeout) {
		this.store = JdbcThrottleStore.builder(this.pool)
			.schema(PostgresServer.newSchema())
			.initializeSchema(true)
			.timeout(timeout)
			.build();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.mutex = this.node.addOrUpdate("mutex", Limit.mutex());
	}

	@AfterEach
	void stop() {
		this.store.close();
		this.pool.close();
	}

	@Test
	void manyReleasesAtOnceAreSentTogether() {
		start(PATIENCE);
		List<Permit> permits = permits(2_000);
		long before = this.store.snapshot().answered();

		permits.forEach(Permit::close);

		Awaitility.await().atMost(PATIENCE).until(() -> this.mutex.snapshot(0).held() == 0);
		assertThat(this.store.snapshot().answered() - before).isLessThan(200);
		assertThat(this.store.snapshot().failed()).isZero();
	}

	@Test
	void releaseComesBeforeTheNextCallOfItsKey() {
		start(PATIENCE);
		List<Permit> permits = permits(200);

		permits.forEach(Permit::close);

		for (int i = 0; i < permits.size(); i++) {
			assertThat(this.mutex.tryAcquire("k" + i).reason()).isNotEqualTo(Decision.Reason.LIMIT);
		}
	}

	@Test
	void callsThatWaitForTheirTurnInTheNodeAreNoFaultOfTheDatabase() throws Exception {
		start(Duration.ofMillis(500));
		Throttle rate = this.node.addOrUpdate("rate", Limit.fixedWindow(1, Duration.ofDays(1)));
		List<CompletableFuture<Permit>> calls = new ArrayList<>();
		for (int i = 0; i < 10_000; i++) {
			calls.add(rate.acquire("k" + i, 1, Duration.ZERO));
		}
		CompletableFuture
			.allOf(calls.stream().map((call) -> call.handle((permit, failure) -> 0)).toArray(CompletableFuture[]::new))
			.get(60, TimeUnit.SECONDS);

		assertThat(this.store.snapshot().unavailable()).isFalse();
		assertThat(rate.tryAcquire("another").admitted()).isTrue();
	}

	private List<Permit> permits(int number) {
		List<Permit> permits = new ArrayList<>();
		for (int i = 0; i < number; i++) {
			permits.add(this.mutex.tryAcquire("k" + i).permit());
		}
		return permits;
	}

}
