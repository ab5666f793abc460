package dev.sluice.jdbc;

import java.time.Duration;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.test.store.StoreTime;
import dev.sluice.test.store.ThrottleStoreContract;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two nodes over one server. Most tests wait, so they do it side by side. */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcContractTests extends ThrottleStoreContract {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final StoreTime time = StoreTime.real(Duration.ofMillis(100));

	private HikariDataSource pool;

	private JdbcThrottleStore store;

	private JdbcThrottleStore otherStore;

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@BeforeAll
	void start() {
		this.pool = PostgresServer.pool(20);
		this.store = store();
		this.otherStore = store();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.otherNode = ThrottlingManager.builder().store(this.otherStore).build();
	}

	private JdbcThrottleStore store() {
		return JdbcThrottleStore.builder(this.pool)
			.schema("contract")
			.initializeSchema(true)
			.listen(true)
			.timeout(PATIENCE)
			.build();
	}

	@AfterAll
	void stop() {
		this.store.close();
		this.otherStore.close();
		this.pool.close();
	}

	@Override
	public ThrottlingManager node() {
		return this.node;
	}

	@Override
	public ThrottlingManager otherNode() {
		return this.otherNode;
	}

	@Override
	public StoreTime time() {
		return this.time;
	}

	@Override
	public Duration patience() {
		return PATIENCE;
	}

	/** Keys that are idle are swept away. */
	@Override
	public boolean boundsKeys() {
		return false;
	}

	@Override
	public boolean keeps(Limit limit) {
		return !(limit instanceof Limit.DynamicWindow);
	}

}
