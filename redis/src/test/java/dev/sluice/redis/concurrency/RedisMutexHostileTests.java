package dev.sluice.redis.concurrency;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.Stalls;
import dev.sluice.redis.StoreAccess;
import dev.sluice.redis.concurrency.Holdings.Holding;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Three nodes with two callers each share a mutex, while the network keeps, swallows and
 * cuts what they send, nodes die, and the server stops: nobody is inside beside another.
 * A holder believes that it is until it closes its permit or is told that it is lost, so
 * only the moment counts for nothing that this process takes to tell it.
 */
@Tag("hostile")
class RedisMutexHostileTests {

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final Duration MOMENT = Duration.ofMillis(50);

	private static final Duration FAULT = LEASE.plusMillis(400);

	private final RedisServer server = RedisServer.start();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final Queue<Holding> holdings = new ConcurrentLinkedQueue<>();

	@Test
	@Timeout(90)
	void nobodyIsInsideBesideAnother() throws Exception {
		Stalls stalls = Stalls.watch();
		List<Node> nodes = new ArrayList<>(List.of(new Node(), new Node(), new Node()));
		try {
			for (int round = 0; round < 2; round++) {
				for (Fault fault : Fault.values()) {
					int before = this.holdings.size();
					Node node = nodes.remove(0);
					fault.happen(this.server, node);
					await().pollDelay(FAULT).until(() -> true);
					fault.end(this.server, node);
					nodes.add((fault == Fault.NODE_DIES) ? new Node() : node);
					await().until(() -> this.holdings.size() > before + 10);
				}
			}
		}
		finally {
			nodes.forEach(Node::die);
			stalls.close();
			this.executor.shutdown();
			assertThat(this.executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			this.server.close();
		}

		assertThat(Holdings.overlaps(this.holdings, MOMENT.toNanos() + stalls.longest().toNanos())).isEmpty();
		assertThat(Holdings.outOfOrder(this.holdings)).isEmpty();
	}

	private enum Fault {

		NETWORK_KEEPS, NETWORK_SWALLOWS, NETWORK_IS_CUT, NODE_DIES, SERVER_STOPS;

		void happen(RedisServer server, Node node) {
			switch (this) {
				case NETWORK_KEEPS -> node.network.hold();
				case NETWORK_SWALLOWS -> node.network.swallow();
				case NETWORK_IS_CUT -> node.network.cut();
				case NODE_DIES -> node.die();
				case SERVER_STOPS -> server.pause();
			}
		}

		void end(RedisServer server, Node node) {
			if (this == SERVER_STOPS) {
				server.goOn();
			}
			else if (this != NODE_DIES) {
				node.network.repair();
			}
		}

	}

	/** A node with a network of its own. */
	private final class Node {

		private final FaultyProxy network = FaultyProxy.to(RedisMutexHostileTests.this.server.port());

		private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + this.network.port());

		private final RedisThrottleStore store;

		private volatile boolean dead;

		Node() {
			this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
			this.store = RedisThrottleStore.builder(this.client).timeout(Duration.ofMillis(250)).lease(LEASE).build();
			Throttle mutex = ThrottlingManager.builder().store(this.store).build().addOrUpdate("order", Limit.mutex());
			for (int i = 0; i < 2; i++) {
				RedisMutexHostileTests.this.executor.execute(() -> call(mutex));
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
			RedisMutexHostileTests.this.holdings
				.add(new Holding(permit.fencingToken().orElseThrow(), from, till.get(), lost.getCount() == 0));
			if (!this.dead) {
				permit.close();
			}
		}

		void die() {
			this.dead = true;
			StoreAccess.abandon(this.store);
			this.client.shutdown();
			try {
				this.network.close();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
