package dev.sluice.jdbc;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.test.store.StoreTime;
import dev.sluice.test.store.ThrottleStoreContract;
import dev.sluice.test.trial.HostileKeysContract;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two nodes over one server. Most tests wait, so they do it side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JdbcContractTests extends ThrottleStoreContract implements HostileKeysContract {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final String schema = PostgresServer.newSchema();

	private final StoreTime time = StoreTime.real(Duration.ofMillis(100));

	private final List<HikariDataSource> pools = new ArrayList<>();

	private JdbcThrottleStore store;

	private JdbcThrottleStore otherStore;

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@BeforeAll
	void start() throws IOException {
		this.store = store();
		this.otherStore = store();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.otherNode = ThrottlingManager.builder().store(this.otherStore).build();
	}

	private JdbcThrottleStore store() {
		HikariDataSource pool = PostgresServer.pool(url());
		this.pools.add(pool);
		return configured(JdbcThrottleStore.builder(pool)).schema(this.schema)
			.initializeSchema(true)
			.timeout(PATIENCE)
			.build();
	}

	/** Returns where the server is. */
	String url() {
		return PostgresServer.url();
	}

	JdbcThrottleStore.Builder configured(JdbcThrottleStore.Builder store) {
		return store;
	}

	@AfterAll
	void stop() throws IOException {
		this.store.close();
		this.otherStore.close();
		this.pools.forEach(HikariDataSource::close);
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

	/** What keys have used goes by itself. */
	@Override
	public boolean boundsKeys() {
		return false;
	}

	/** Longer sliding logs are rejected when they are defined. */
	@Override
	public boolean keeps(Limit limit) {
		return !(limit instanceof Limit.SlidingLog) || limit.limit() <= 1_000;
	}

}
