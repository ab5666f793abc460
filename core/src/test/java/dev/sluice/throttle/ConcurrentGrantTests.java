package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ConcurrentGrantTests {

	private static final int THREADS = 8;

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private final ThrottlingManager manager = ThrottlingManager.builder().build();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(10_000, Duration.ofDays(1)),
				Limit.fixedWindow(10_000, Duration.ofDays(9_999)),
				Limit.slidingWindow(10_000, Duration.ofDays(9_999), 3),
				Limit.slidingWindow(10_000, Duration.ofDays(9_999), 100),
				Limit.tokenBucket(10_000, 1, Duration.ofDays(1)));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void exactlyTheLimitIsGrantedUnderContention(Limit limit) throws Exception {
		Throttle throttle = this.manager.addOrUpdate("rate", limit);
		AtomicInteger granted = new AtomicInteger();

		onAllThreads(() -> {
			for (int i = 0; i < limit.maxPermits(); i++) {
				if (throttle.tryAcquireNanos((i % 2 == 0) ? "" : "key", 1) == 0) {
					granted.incrementAndGet();
				}
			}
		});

		assertThat(granted).hasValue(2 * limit.maxPermits());
		ThrottleSnapshot snapshot = throttle.snapshot(0);
		assertThat(snapshot.admitted()).isEqualTo(2L * limit.maxPermits());
		assertThat(snapshot.rejected()).isEqualTo((long) (THREADS - 2) * limit.maxPermits());
	}

	@RepeatedTest(3)
	void keysOfADynamicWindowNeverShareOutMoreThanTheCapacity() throws Exception {
		Throttle throttle = this.manager.addOrUpdate("tenants",
				Limit.dynamicWindow(10_000, 1_000, 10_000, Duration.ofDays(9_999), 3));
		AtomicInteger granted = new AtomicInteger();
		AtomicInteger number = new AtomicInteger();

		onAllThreads(() -> {
			String key = "k" + number.getAndIncrement();
			for (int i = 0; i < 10_000; i++) {
				if (throttle.tryAcquireNanos(key, 1) == 0) {
					granted.incrementAndGet();
				}
			}
		});

		assertThat(granted).hasValue(10_000);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(10_000);
	}

	@RepeatedTest(20)
	void keysThatComeToShareNeverGetMoreThanTheCapacity() throws Exception {
		Throttle throttle = this.manager.addOrUpdate("tenants", Limit.slidingLog(500, Duration.ofDays(9_999)));
		AtomicInteger granted = new AtomicInteger(THREADS);
		AtomicInteger number = new AtomicInteger();
		for (int i = 0; i < THREADS; i++) {
			throttle.tryAcquire("k" + i);
		}

		onAllThreads(() -> {
			int mine = number.getAndIncrement();
			if (mine == 0) {
				this.manager.addOrUpdate("tenants",
						Limit.dynamicWindow(THREADS * 500, 1, THREADS * 500, Duration.ofDays(9_999), 3));
			}
			for (int i = 0; i < 1_000; i++) {
				if (throttle.tryAcquireNanos("k" + mine, 1) == 0) {
					granted.incrementAndGet();
				}
			}
		});

		assertThat(granted.get()).isLessThanOrEqualTo(THREADS * 500);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(granted.get());
	}

	@RepeatedTest(3)
	void neverMoreThanTheLimitIsHeld() throws Exception {
		Throttle semaphore = this.manager.addOrUpdate("semaphore", Limit.semaphore(3));
		AtomicInteger held = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		AtomicInteger grants = new AtomicInteger();

		onAllThreads(() -> {
			for (int i = 0; i < 20_000; i++) {
				Decision decision = semaphore.tryAcquire("k");
				if (decision.admitted()) {
					most.accumulateAndGet(held.incrementAndGet(), Math::max);
					grants.incrementAndGet();
					held.decrementAndGet();
					decision.permit().close();
				}
			}
		});

		assertThat(most.get()).isBetween(1, 3);
		assertThat(semaphore.snapshot(1)).satisfies((snapshot) -> {
			assertThat(snapshot.held()).isZero();
			assertThat(snapshot.keys()).isZero();
			assertThat(snapshot.admitted()).isEqualTo(grants.get());
		});
	}

	@RepeatedTest(3)
	void nobodyIsStrandedInLine() throws Exception {
		Throttle mutex = this.manager.addOrUpdate("mutex", Limit.mutex());
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger entered = new AtomicInteger();

		onAllThreads(() -> {
			for (int i = 0; i < 2_000; i++) {
				Permit permit = mutex.acquire("k", 1, Duration.ofMinutes(1)).join();
				assertThat(inside.incrementAndGet()).isEqualTo(1);
				entered.incrementAndGet();
				inside.decrementAndGet();
				permit.close();
			}
		});

		assertThat(entered).hasValue(THREADS * 2_000);
		assertThat(mutex.snapshot(1).keys()).isZero();
	}

	@RepeatedTest(3)
	void nobodyIsStrandedBeforeSeveralLimits() throws Exception {
		AtomicInteger cancelled = new AtomicInteger();
		this.manager.addOrUpdate("mutex", Limit.mutex());
		this.manager.addOrUpdate("semaphore", Limit.semaphore(2));
		this.manager.addOrUpdate("log", Limit.slidingLog(20, Duration.ofMillis(1)));
		this.manager.addOrUpdate("bucket", Limit.tokenBucket(5, 20, Duration.ofMillis(1)));
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger entered = new AtomicInteger();

		onAllThreads(() -> {
			for (int i = 0; i < 500; i++) {
				AcquireRequest[] requests = Stream.of("mutex", "semaphore", "log", "bucket")
					.map((resource) -> AcquireRequest.of(resource).maxWait(Duration.ofMinutes(1)))
					.toArray(AcquireRequest[]::new);
				if (i % 3 == 0) {
					requests = Arrays.copyOfRange(requests, 2, 4);
				}
				CompletableFuture<Permit> future = this.manager.acquire(requests);
				if (i % 10 == 9 && future.cancel(false)) {
					cancelled.incrementAndGet();
					continue;
				}
				Permit permit = future.join();
				if (requests.length == 4) {
					assertThat(inside.incrementAndGet()).isEqualTo(1);
					inside.decrementAndGet();
				}
				entered.incrementAndGet();
				permit.close();
			}
		});

		assertThat(entered.get() + cancelled.get()).isEqualTo(THREADS * 500);
		assertThat(cancelled).hasPositiveValue();
		Awaitility.await().untilAsserted(() -> assertThat(this.manager.throttles()).allSatisfy((throttle) -> {
			assertThat(throttle.snapshot(0).held()).isZero();
			assertThat(throttle.snapshot(0).waiting()).isZero();
		}));
	}

	private void onAllThreads(Runnable work) throws Exception {
		CyclicBarrier start = new CyclicBarrier(THREADS);
		List<Future<?>> done = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			done.add(this.threads.submit(() -> {
				start.await();
				work.run();
				return null;
			}));
		}
		for (Future<?> each : done) {
			each.get();
		}
	}

}
