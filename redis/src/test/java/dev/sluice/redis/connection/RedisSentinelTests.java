package dev.sluice.redis.connection;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A master that goes away under load, and a sentinel that makes its replica the master.
 */
@Tag("full")
class RedisSentinelTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	private static final int CALLERS = 32;

	private final RedisServer master = RedisServer.start();

	private final RedisServer replica = RedisServer.startReplicaOf(this.master);

	private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

	private final Map<Decision.Reason, LongAdder> decisions = new ConcurrentHashMap<>();

	private final AtomicLong longestNanos = new AtomicLong();

	@TempDir
	Path directory;

	private RedisServer sentinel;

	private RedisClient client;

	private RedisThrottleStore store;

	private ThrottlingManager manager;

	private volatile boolean over;

	@BeforeEach
	void start() {
		awaitInfo(this.replica, "master_link_status:up");
		this.sentinel = RedisServer.startSentinel(this.directory, "limits", this.master);
		awaitInfo(this.sentinel, "slaves=1");
		this.client = RedisClient.create(RedisURI.builder()
			.withSentinel("127.0.0.1", this.sentinel.port())
			.withSentinelMasterId("limits")
			.withTimeout(Duration.ofSeconds(2))
			.build());
		this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.store = RedisThrottleStore.builder(this.client).timeout(TIMEOUT).lease(Duration.ofSeconds(1)).build();
		this.manager = ThrottlingManager.builder().store(this.store).build();
	}

	/** Asks over a new connection each time, as a server whose role changes cuts them. */
	private static void awaitInfo(RedisServer server, String info) {
		RedisClient client = server.client();
		try {
			await().atMost(60, TimeUnit.SECONDS).ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
				try (StatefulRedisConnection<String, String> connection = client.connect()) {
					return connection.sync().info().contains(info);
				}
			});
		}
		finally {
			client.shutdown();
		}
	}

	@AfterEach
	void stop() {
		this.over = true;
		this.callers.shutdown();
		this.store.close();
		this.client.shutdown();
		this.sentinel.close();
		this.replica.close();
		this.master.close();
	}

	@Test
	void masterThatDiesIsReplaced() throws Exception {
		isReplacedWhen(this.master::kill);
	}

	@Test
	void masterThatStopsIsReplaced() throws Exception {
		isReplacedWhen(this.master::pause);

		this.master.goOn();

		awaitInfo(this.master, "role:slave");
		long admitted = decided(Decision.Reason.ADMITTED);
		await().atMost(60, TimeUnit.SECONDS).until(() -> decided(Decision.Reason.ADMITTED) > admitted + 1000);
	}

	private void isReplacedWhen(Runnable away) throws Exception {
		Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());
		Permit held = acquire(mutex);
		CountDownLatch lost = new CountDownLatch(1);
		held.onLost(lost::countDown);
		Throttle bucket = this.manager.addOrUpdate("quotes", Limit.tokenBucket(1_000_000_000, 1_000_000, LONG));
		for (int i = 0; i < CALLERS; i++) {
			this.callers.execute(() -> call(bucket));
		}
		await().atMost(60, TimeUnit.SECONDS).until(() -> decided(Decision.Reason.ADMITTED) > 1000);

		away.run();

		await().atMost(60, TimeUnit.SECONDS).until(() -> decided(Decision.Reason.STORE) > 0);
		assertThat(lost.await(60, TimeUnit.SECONDS)).as("The holder is told").isTrue();
		awaitInfo(this.replica, "role:master");
		long admitted = decided(Decision.Reason.ADMITTED);
		await().atMost(60, TimeUnit.SECONDS).until(() -> decided(Decision.Reason.ADMITTED) > admitted + 1000);
		assertThat(Duration.ofNanos(this.longestNanos.get())).isLessThan(TIMEOUT.plusSeconds(10));
		long token = acquire(mutex).fencingToken().orElseThrow();
		assertThat(token).isGreaterThan(held.fencingToken().orElseThrow());
		System.out.printf("%s, longest call %d ms%n", this.decisions,
				TimeUnit.NANOSECONDS.toMillis(this.longestNanos.get()));
	}

	private static Permit acquire(Throttle mutex) {
		return await().atMost(60, TimeUnit.SECONDS).until(() -> mutex.tryAcquire("k"), Decision::admitted).permit();
	}

	private void call(Throttle bucket) {
		while (!this.over) {
			long start = System.nanoTime();
			Decision decision = bucket.tryAcquire("k");
			this.longestNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
			this.decisions.computeIfAbsent(decision.reason(), (reason) -> new LongAdder()).increment();
			if (decision.reason() == Decision.Reason.STORE) {
				LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			}
		}
	}

	private long decided(Decision.Reason reason) {
		LongAdder count = this.decisions.get(reason);
		return (count != null) ? count.sum() : 0;
	}

}
