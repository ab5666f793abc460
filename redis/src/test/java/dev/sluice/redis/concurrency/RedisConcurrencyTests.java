package dev.sluice.redis.concurrency;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.redis.StoreAccess;
import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Leases, and nodes and servers that die while permits are held and waited for. */
@Execution(ExecutionMode.CONCURRENT)
class RedisConcurrencyTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration LEASE = Duration.ofSeconds(3);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	@AfterEach
	void close() {
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.server.close();
	}

	private RedisThrottleStore store(Duration lease) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(5))
			.lease(lease)
			.build();
		this.stores.add(store);
		return store;
	}

	private static Throttle mutex(RedisThrottleStore store) {
		return mutex(store, LimitOptions.defaults());
	}

	private static Throttle mutex(RedisThrottleStore store, LimitOptions options) {
		return ThrottlingManager.builder().store(store).build().addOrUpdate("order", Limit.mutex(), options);
	}

	@Test
	void permitIsRenewedWhileItIsHeld() {
		Duration lease = LEASE.multipliedBy(2);
		Throttle mutex = mutex(store(lease));
		Throttle elsewhere = mutex(store(lease));
		Permit permit = mutex.tryAcquire("k").permit();
		CountDownLatch lost = new CountDownLatch(1);
		permit.onLost(lost::countDown);

		CompletableFuture<Permit> waiting = elsewhere.acquire("k", 1, lease.multipliedBy(2));

		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(ThrottledException.class);
		assertThat(lost.getCount()).isOne();
		permit.close();
		await().until(() -> elsewhere.tryAcquire("k").admitted());
	}

	@Test
	void permitOfADeadNodeGoesToTheNextWhenItsLeaseHasEnded() throws Exception {
		RedisThrottleStore dying = store(LEASE);
		Permit permit = mutex(dying).tryAcquire("k").permit();
		CompletableFuture<Permit> next = mutex(store(LEASE)).acquire("k", 1, LONG);

		StoreAccess.abandon(dying);

		Permit granted = next.get(60, TimeUnit.SECONDS);
		assertThat(granted.fencingToken().getAsLong()).isGreaterThan(permit.fencingToken().getAsLong());
	}

	@Test
	void leaseOfALimitComesBeforeThatOfTheStore() throws Exception {
		LimitOptions options = LimitOptions.builder().lease(LEASE).build();
		RedisThrottleStore dying = store(LONG);
		assertThat(mutex(dying, options).tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> next = mutex(store(LONG), options).acquire("k", 1, LONG);

		StoreAccess.abandon(dying);

		assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
	}

	/** Its lease ends when the test says so, however long the machine takes. */
	@Test
	void deadNodeLeavesTheLine() throws Exception {
		Throttle mutex = mutex(store(LONG));
		Permit permit = mutex.tryAcquire("k").permit();
		RedisThrottleStore dying = store(LONG);
		CompletableFuture<Permit> lost = mutex(dying).acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 1);
		String dead = nodesInLine().keySet().iterator().next();
		CompletableFuture<Permit> next = mutex(store(LONG)).acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 2);

		StoreAccess.abandon(dying);
		await().until(() -> listeningNodes() == 2);
		endLease(dead);
		permit.close();

		assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
		assertThat(lost).isNotDone();
	}

	private Map<String, String> nodesInLine() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			return connection.sync().hgetall("sluice:{order:k}:nodes");
		}
	}

	private void endLease(String node) {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			connection.sync().hset("sluice:{order:k}:nodes", node, "1");
		}
	}

	private int listeningNodes() {
		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			return connection.sync().pubsubChannels("sluice:grants:*").size();
		}
	}

	@Test
	void whoWaitsIsRejectedWhenTheServerHasForgottenTheLine() {
		Throttle mutex = mutex(store(LEASE));
		assertThat(mutex.tryAcquire("k").admitted()).isTrue();
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 1);

		this.server.kill();
		this.server.restart();

		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(ThrottledException.class,
					(throttled) -> assertThat(throttled.reason()).isEqualTo(Decision.Reason.STORE));
	}

	@Test
	void nodeThatClosesLeavesTheLineAtOnce() throws Exception {
		Throttle mutex = mutex(store(LONG));
		Permit permit = mutex.tryAcquire("k").permit();
		RedisThrottleStore closing = store(LONG);
		CompletableFuture<Permit> rejected = mutex(closing).acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 1);
		CompletableFuture<Permit> next = mutex(store(LONG)).acquire("k", 1, LONG);
		await().until(() -> mutex.state("k").waiting() == 2);

		closing.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> rejected.get(60, TimeUnit.SECONDS))
			.withCauseInstanceOf(ThrottledException.class);
		await().until(() -> mutex.state("k").waiting() == 1);
		permit.close();

		assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void grantOfWhichTheMessageIsLateIsFoundAndKept() throws Exception {
		try (DistantWaiter waiter = new DistantWaiter()) {
			CompletableFuture<Permit> next = waiter.acquire();
			await().until(() -> waiter.held.state("k").waiting() == 1);

			waiter.network.cut();
			await().until(() -> waiter.store.snapshot().unavailable());
			String[] grant = waiter.grant();
			waiter.network.repair();
			assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
			waiter.publish(grant);

			waiter.assertKept();
		}
	}

	@Test
	void grantThatIsToldTwiceIsKept() throws Exception {
		try (DistantWaiter waiter = new DistantWaiter()) {
			CompletableFuture<Permit> next = waiter.acquire();
			await().until(() -> waiter.held.state("k").waiting() == 1);
			String[] grant = waiter.grant();
			waiter.publish(grant);
			assertThat(next.get(60, TimeUnit.SECONDS)).isNotNull();
			waiter.publish(grant);

			waiter.assertKept();
		}
	}

	@Test
	void holderIsToldThatItsOwnerWasReleasedElsewhere() throws Exception {
		Throttle mutex = mutex(store(Duration.ofSeconds(30)));
		ThrottlingManager manager = ThrottlingManager.builder().store(store(Duration.ofSeconds(30))).build();
		manager.addOrUpdate("order", Limit.mutex());
		Permit permit = manager.tryAcquire(AcquireRequest.of("order", "k").owner("me")).permit();
		CountDownLatch lost = new CountDownLatch(1);
		permit.onLost(lost::countDown);

		assertThat(mutex.release("k", "me")).isTrue();

		assertThat(lost.await(25, TimeUnit.SECONDS)).as("Before the lease has ended").isTrue();
	}

	@Test
	void holderIsToldWhenItsLeaseHasEnded() throws Exception {
		ThrottlingManager manager = ThrottlingManager.builder().store(store(LEASE)).build();
		manager.addOrUpdate("order", Limit.mutex());
		AcquireRequest request = AcquireRequest.of("order", "k").owner("me");
		Permit permit = manager.tryAcquire(request).permit();
		Permit closed = manager.tryAcquire(request).permit();
		CountDownLatch lost = new CountDownLatch(1);
		CountDownLatch lostOfClosed = new CountDownLatch(1);
		closed.onLost(lostOfClosed::countDown);
		permit.onLost(lost::countDown);
		closed.close();

		this.server.pause();
		assertThat(lost.await(60, TimeUnit.SECONDS)).isTrue();
		this.server.goOn();

		CountDownLatch late = new CountDownLatch(1);
		permit.onLost(late::countDown);
		assertThat(late.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(lostOfClosed.getCount()).isOne();
		permit.close();
	}

	@Test
	void whatIsGrantedTooLateIsGivenBack() {
		Throttle mutex = mutex(store(Duration.ofMinutes(5)));

		this.server.pause();
		assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		this.server.goOn();

		await().until(() -> mutex.tryAcquire("k").admitted());
	}

	@Test
	void placeOfANamedOwnerThatIsCancelledIsGivenBack() throws Exception {
		Throttle mutex = mutex(store(Duration.ofMinutes(5)));
		ThrottlingManager manager = ThrottlingManager.builder().store(store(Duration.ofMinutes(5))).build();
		manager.addOrUpdate("order", Limit.mutex());
		for (int i = 0; i < 50; i++) {
			Permit permit = mutex.acquire("k", 1, LONG).get(60, TimeUnit.SECONDS);
			CompletableFuture<Permit> cancelled = manager
				.acquire(AcquireRequest.of("order", "k").owner("me").maxWait(LONG));
			await().until(() -> mutex.state("k").waiting() == 1);

			CompletableFuture<Void> closing = CompletableFuture.runAsync(permit::close);
			if (!cancelled.cancel(false)) {
				cancelled.join().close();
			}
			closing.get(60, TimeUnit.SECONDS);
		}

		assertThat(mutex.acquire("k", 1, LONG).get(60, TimeUnit.SECONDS)).isNotNull();
	}

	@Test
	void mutexTakesAHundredBytes() {
		mutex(store(Duration.ofSeconds(30))).tryAcquire("k");

		try (StatefulRedisConnection<String, String> connection = this.client.connect()) {
			assertThat(connection.sync().memoryUsage("sluice:{order:k}")).isLessThanOrEqualTo(100);
		}
	}

	@Test
	void noIncrementIsLostThoughNodesDie() throws Exception {
		Guarded guarded = new Guarded();
		List<Node> nodes = new ArrayList<>();
		ExecutorService executor = Executors.newCachedThreadPool();
		try {
			for (int i = 0; i < 4; i++) {
				nodes.add(new Node(store(Duration.ofSeconds(1)), guarded, executor));
			}
			for (int i = 0; i < 3; i++) {
				int next = guarded.value + 300;
				await().atMost(5, TimeUnit.MINUTES).until(() -> guarded.value >= next);
				nodes.remove(0).die();
				nodes.add(new Node(store(Duration.ofSeconds(1)), guarded, executor));
			}
			int last = guarded.value + 300;
			await().atMost(5, TimeUnit.MINUTES).until(() -> guarded.value >= last);
		}
		finally {
			nodes.forEach(Node::die);
			executor.shutdown();
		}

		assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		assertThat(Holdings.overlaps(guarded.holdings, 0)).isEmpty();
		assertThat(Holdings.outOfOrder(guarded.holdings)).isEmpty();
		assertThat(guarded.value).isEqualTo(guarded.holdings.size()).isGreaterThanOrEqualTo(1200);
	}

	/** What the mutex guards: a number that loses increments of two at a time. */
	private static final class Guarded {

		private final Queue<Holdings.Holding> holdings = new ConcurrentLinkedQueue<>();

		private volatile int value;

		void increment(Permit permit) {
			long from = System.nanoTime();
			int before = this.value;
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(50));
			this.value = before + 1;
			this.holdings
				.add(new Holdings.Holding(permit.fencingToken().orElseThrow(), from, System.nanoTime(), false));
		}

	}

	/** A node whose two threads increment until it dies, with whatever they hold. */
	private static final class Node {

		private final RedisThrottleStore store;

		private volatile boolean dead;

		Node(RedisThrottleStore store, Guarded guarded, ExecutorService executor) {
			this.store = store;
			Throttle mutex = mutex(store);
			for (int i = 0; i < 2; i++) {
				Future<?> running = executor.submit(() -> increment(mutex, guarded));
				assertThat(running).isNotNull();
			}
		}

		private Void increment(Throttle mutex, Guarded guarded) throws Exception {
			CompletableFuture<Permit> call = mutex.acquire("k", 1, LONG);
			while (!this.dead) {
				try {
					Permit permit = call.get(200, TimeUnit.MILLISECONDS);
					guarded.increment(permit);
					if (!this.dead) {
						permit.close();
						call = mutex.acquire("k", 1, LONG);
					}
				}
				catch (TimeoutException ex) {
					// in line still
				}
			}
			return null;
		}

		void die() {
			this.dead = true;
			StoreAccess.abandon(this.store);
		}

	}

	/** A store behind a network, which waits for a mutex that is held elsewhere. */
	private final class DistantWaiter implements AutoCloseable {

		private final FaultyProxy network = FaultyProxy.to(RedisConcurrencyTests.this.server.port());

		private final RedisClient remote = RedisClient.create("redis://127.0.0.1:" + this.network.port());

		private final RedisThrottleStore store = RedisThrottleStore.builder(this.remote)
			.timeout(Duration.ofSeconds(5))
			.lease(Duration.ofSeconds(15))
			.build();

		private final Throttle held = mutex(store(Duration.ofSeconds(15)));

		private final Permit permit = this.held.tryAcquire("k").permit();

		private final StatefulRedisPubSubConnection<String, String> messages = RedisConcurrencyTests.this.client
			.connectPubSub();

		private final StatefulRedisConnection<String, String> connection = RedisConcurrencyTests.this.client.connect();

		private final BlockingQueue<String[]> grants = new LinkedBlockingQueue<>();

		DistantWaiter() {
			this.messages.addListener(new RedisPubSubAdapter<>() {

				@Override
				public void message(String pattern, String channel, String message) {
					DistantWaiter.this.grants.add(new String[] { channel, message });
				}

			});
			this.messages.sync().psubscribe("sluice:grants:*");
		}

		CompletableFuture<Permit> acquire() {
			return mutex(this.store).acquire("k", 1, LONG);
		}

		/** Has the mutex granted; returns the channel of the grant, and its message. */
		String[] grant() throws InterruptedException {
			this.permit.close();
			return this.grants.poll(60, TimeUnit.SECONDS);
		}

		void publish(String[] grant) {
			this.connection.sync().publish(grant[0], grant[1]);
		}

		void assertKept() {
			await().pollDelay(Duration.ofMillis(500))
				.untilAsserted(() -> assertThat(this.held.state("k").used()).isEqualTo(1));
		}

		@Override
		public void close() throws IOException {
			this.messages.close();
			this.connection.close();
			this.store.close();
			this.remote.shutdown();
			this.network.close();
		}

	}

}
