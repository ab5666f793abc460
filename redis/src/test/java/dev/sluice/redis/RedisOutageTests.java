package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.test.trial.FaultyProxy;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Faults of the server and of the network to it, while calls of limits of all policies
 * never stop: each call ends in its time, each policy does what it should, and all is
 * well again by itself.
 */
@Execution(ExecutionMode.CONCURRENT)
class RedisOutageTests {

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/** A call that takes longer hangs, and nothing is known of what it will be. */
	private static final Duration HANGS = Duration.ofSeconds(20);

	/**
	 * How much longer than promised a call may take, beside what this process was
	 * stopped: until its thread, that of the timer and that of the client have run.
	 */
	private static final Duration MOMENT = Duration.ofMillis(250);

	private static final int LIMIT = 50;

	private final RedisServer server = RedisServer.start();

	private final FaultyProxy network = FaultyProxy.to(this.server.port());

	private final RedisClient client = RedisClient.create(RedisURI.builder()
		.withHost("127.0.0.1")
		.withPort(this.network.port())
		.withTimeout(Duration.ofSeconds(2))
		.build());

	private final List<Load> loads = new ArrayList<>();

	private final Stalls stalls = Stalls.watch();

	private RedisThrottleStore store;

	@BeforeEach
	void start() {
		this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.store = RedisThrottleStore.builder(this.client).timeout(TIMEOUT).build();
		ThrottlingManager manager = ThrottlingManager.builder().store(this.store).build();
		for (FailurePolicy policy : FailurePolicy.values()) {
			LimitOptions options = LimitOptions.builder().failurePolicy(policy).build();
			Limit limit = Limit.slidingLog(LIMIT, Duration.ofDays(1));
			this.loads.add(new Load(policy, manager.addOrUpdate("rate-" + policy, limit, options),
					manager.addOrUpdate("mutex-" + policy, Limit.mutex(), options)));
		}
		this.loads.forEach(Load::start);
	}

	@AfterEach
	void stop() throws Exception {
		this.loads.forEach((load) -> load.stopped.set(true));
		this.stalls.close();
		this.store.close();
		this.client.shutdown();
		this.network.close();
		this.server.close();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofMinutes(2));
	}

	@Test
	void serverIsKilledAndStartedAgain() throws Exception {
		suffer(this.server::kill, Duration.ofSeconds(1), this.server::restart);

		assertThat(load(FailurePolicy.CLOSED).admitted).hasValueLessThanOrEqualTo(2 * LIMIT);
		assertThat(load(FailurePolicy.LOCAL).admitted).hasValueLessThanOrEqualTo(3 * LIMIT);
	}

	@Test
	void serverIsStoppedForTenSeconds() throws Exception {
		suffer(this.server::pause, Duration.ofSeconds(10), this.server::goOn);

		assertThatNothingWasForgotten();
	}

	@Test
	void networkIsCut() throws Exception {
		suffer(this.network::cut, Duration.ofSeconds(2), this.network::repair);

		assertThatNothingWasForgotten();
	}

	@Test
	void networkSwallowsEverything() throws Exception {
		suffer(this.network::swallow, Duration.ofSeconds(5), this.network::repair);

		assertThatNothingWasForgotten();
	}

	@Test
	void networkIsTooSlow() throws Exception {
		suffer(() -> this.network.delay(Duration.ofSeconds(1)), Duration.ofSeconds(2), this.network::repair);

		assertThatNothingWasForgotten();
	}

	/** Has something happen under load, waits until it is known, and ends it. */
	private void suffer(Runnable fault, Duration duration, Runnable repair) throws Exception {
		eventually().until(() -> this.loads.stream().allMatch((load) -> load.rejectedByTheLimit.get() > 10));

		fault.run();
		eventually().until(() -> this.store.snapshot().unavailable());
		await().pollDelay(duration).atMost(HANGS.plus(duration)).until(() -> true);
		eventually().until(() -> load(FailurePolicy.CLOSED).rejectedByTheStore.get() > 100);
		eventually().until(() -> load(FailurePolicy.OPEN).admitted.get() > LIMIT + 100);
		eventually().until(() -> load(FailurePolicy.LOCAL).rejectedByTheStore.get() > 100);

		repair.run();
		eventually().until(() -> !this.store.snapshot().unavailable());
		for (Load load : this.loads) {
			long before = load.rejectedByTheLimit.get();
			eventually().until(() -> load.rejectedByTheLimit.get() > before + 10);
			load.end();
			assertThat(load.slowest()).as("The slowest call, " + load.policy)
				.isLessThan(TIMEOUT.plus(MOMENT).plus(this.stalls.longest()));
		}
	}

	/** Nothing was forgotten, so that each granted its limit once, and a share. */
	private void assertThatNothingWasForgotten() {
		assertThat(load(FailurePolicy.CLOSED).admitted).hasValueLessThanOrEqualTo(LIMIT);
		assertThat(load(FailurePolicy.LOCAL).admitted).hasValueLessThanOrEqualTo(2 * LIMIT);
	}

	private Load load(FailurePolicy policy) {
		return this.loads.get(policy.ordinal());
	}

	/** Calls of a rate and of a mutex, which wait for the mutex for a moment. */
	private static final class Load {

		private static final int CALLERS = 2;

		private final Throttle rate;

		private final Throttle mutex;

		private final AtomicBoolean stopped = new AtomicBoolean();

		private final AtomicInteger admitted = new AtomicInteger();

		private final AtomicLong rejectedByTheLimit = new AtomicLong();

		private final AtomicLong rejectedByTheStore = new AtomicLong();

		private final AtomicLong slowest = new AtomicLong();

		private final List<CompletableFuture<Void>> callers = new ArrayList<>();

		private final FailurePolicy policy;

		Load(FailurePolicy policy, Throttle rate, Throttle mutex) {
			this.policy = policy;
			this.rate = rate;
			this.mutex = mutex;
		}

		void start() {
			for (int i = 0; i < CALLERS; i++) {
				CompletableFuture<Void> caller = new CompletableFuture<>();
				this.callers.add(caller);
				Thread thread = new Thread(() -> {
					try {
						while (!this.stopped.get()) {
							call();
						}
						caller.complete(null);
					}
					catch (Throwable ex) {
						caller.completeExceptionally(ex);
					}
				}, "caller-" + this.policy);
				thread.setDaemon(true);
				thread.start();
			}
		}

		private void call() throws Exception {
			long start = System.nanoTime();
			Decision decision = this.rate.tryAcquire("k");
			noteTime(start);
			switch (decision.reason()) {
				case ADMITTED -> this.admitted.incrementAndGet();
				case STORE -> this.rejectedByTheStore.incrementAndGet();
				default -> this.rejectedByTheLimit.incrementAndGet();
			}
			start = System.nanoTime();
			this.mutex.acquire("k", 1, Duration.ofMillis(100)).handle((permit, failure) -> {
				if (permit != null) {
					permit.close();
				}
				return permit;
			}).get(HANGS.toNanos(), TimeUnit.NANOSECONDS);
			noteTime(start);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
		}

		private void noteTime(long start) {
			this.slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
		}

		void end() throws Exception {
			this.stopped.set(true);
			for (CompletableFuture<Void> caller : this.callers) {
				caller.get(HANGS.toNanos(), TimeUnit.NANOSECONDS);
			}
		}

		Duration slowest() {
			return Duration.ofNanos(this.slowest.get());
		}

	}

}
