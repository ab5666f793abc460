package dev.sluice.redis;

import java.nio.file.Path;
import java.time.Duration;

import dev.sluice.test.store.StoreTime;
import dev.sluice.test.store.ThrottleStoreContract;
import dev.sluice.test.trial.HostileKeysContract;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two nodes over the oldest server that is supported. Most tests wait, so they do it side
 * by side.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisContractTests extends ThrottleStoreContract implements HostileKeysContract {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final StoreTime time = StoreTime.real(Duration.ofMillis(100));

	private RedisServer server;

	private RedisClient client;

	private RedisThrottleStore store;

	private RedisThrottleStore otherStore;

	private ThrottlingManager node;

	private ThrottlingManager otherNode;

	@BeforeAll
	void start() {
		startServer();
		this.store = store();
		this.otherStore = store();
		this.node = ThrottlingManager.builder().store(this.store).build();
		this.otherNode = ThrottlingManager.builder().store(this.otherStore).build();
	}

	Path executable() {
		return RedisServer.bundled();
	}

	private RedisThrottleStore store() {
		return builder().keyPrefix("écluse-\uD83D\uDEA6:").timeout(PATIENCE).build();
	}

	void startServer() {
		this.server = RedisServer.start(executable());
		this.client = this.server.client();
	}

	RedisThrottleStore.Builder builder() {
		return RedisThrottleStore.builder(this.client);
	}

	void stopServer() {
		this.client.shutdown();
		this.server.close();
	}

	@AfterAll
	void stop() {
		this.store.close();
		this.otherStore.close();
		stopServer();
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

	/** Keys expire by themselves. */
	@Override
	public boolean boundsKeys() {
		return false;
	}

	@Override
	public boolean batches() {
		return true;
	}

}
