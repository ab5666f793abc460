package dev.sluice.redis.rate;

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

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes with two callers each in the line of every kind of limit, for keys outside
 * ASCII, while nodes are closed and the server stops. No line stands still for anything
 * like a lease.
 */
@Tag("hostile")
class RedisLineHostileTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration LEASE = Duration.ofSeconds(30);

	/** For permits that are held when a node is closed. */
	private static final LimitOptions OPTIONS = LimitOptions.builder().lease(Duration.ofSeconds(2)).build();

	private static final Duration PERIOD = Duration.ofMillis(500);

	private static final int LIMIT = 5;

	private static final String KEY = "Müller 北京 \uD83D\uDEA6 \uD800";

	private static final List<Limit> RATES = List.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
			Limit.slidingWindow(LIMIT, PERIOD, 2), Limit.dynamicWindow(LIMIT, 1, LIMIT, PERIOD, 2),
			Limit.tokenBucket(LIMIT, LIMIT, PERIOD));

	private static final List<Limit> HELD = List.of(Limit.mutex(), Limit.semaphore(2));

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final long start = System.nanoTime();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<Line> lines = new ArrayList<>();

	private final List<Node> nodes = new ArrayList<>();

	RedisLineHostileTests() {
		RATES.forEach((limit) -> this.lines.add(new Line(limit)));
		HELD.forEach((limit) -> this.lines.add(new Line(limit)));
		for (int i = 0; i < 3; i++) {
			this.nodes.add(new Node());
		}
	}

	@AfterEach
	void close() throws InterruptedException {
		this.nodes.forEach(Node::close);
		this.executor.shutdown();
		assertThat(this.executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		this.client.shutdown();
		this.server.close();
	}

	@Test
	@Timeout(60)
	void linesOfRatesGoOnAtTheirPace() {
		int periods = 8;
		await().pollDelay(PERIOD.multipliedBy(periods)).until(() -> true);

		assertThat(this.lines).filteredOn((line) -> !line.limit.isHeld()).allSatisfy((line) -> {
			int granted = line.granted.get();
			assertThat(granted).as(line.limit.type()).isBetween(LIMIT * periods / 2, LIMIT * (periodsSinceStart() + 2));
		});
	}

	/** How many periods have passed, whole ones, since the first line was there. */
	private int periodsSinceStart() {
		return (int) Duration.ofNanos(System.nanoTime() - this.start).dividedBy(PERIOD);
	}

	@Test
	@Timeout(60)
	void linesGoOnWhenNodesAreClosed() {
		for (int round = 0; round < 3; round++) {
			this.nodes.remove(0).close();
			allGoOn();
			this.nodes.add(new Node());
		}
	}

	@Test
	@Timeout(60)
	void linesGoOnWhenTheServerHasStoppedForAWhile() {
		for (int round = 0; round < 3; round++) {
			this.server.pause();
			await().pollDelay(Duration.ofMillis(400)).until(() -> true);
			this.server.goOn();
			allGoOn();
		}
	}

	/** Expects that each line serves several calls, within a fraction of a lease. */
	private void allGoOn() {
		List<Integer> before = this.lines.stream().map((line) -> line.granted.get()).toList();
		await().atMost(LEASE.dividedBy(5)).untilAsserted(() -> {
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

		private final RedisThrottleStore store = RedisThrottleStore.builder(RedisLineHostileTests.this.client)
			.lease(LEASE)
			.build();

		private volatile boolean closed;

		Node() {
			ThrottlingManager manager = ThrottlingManager.builder().store(this.store).build();
			for (Line line : RedisLineHostileTests.this.lines) {
				Throttle throttle = manager.addOrUpdate("zoé-" + line.limit.type(), line.limit, OPTIONS);
				for (int i = 0; i < 2; i++) {
					RedisLineHostileTests.this.executor.execute(() -> call(throttle, line));
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
			this.store.close();
			this.closed = true;
		}

	}

}
