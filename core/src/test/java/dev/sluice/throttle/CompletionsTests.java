package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CompletionsTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final int MANY = 5_000;

	/** So many long completions a runner may run before others have its thread. */
	private static final int FEW = 128;

	private static final Duration LONG_COMPLETION = Duration.ofNanos(20_000);

	private final AtomicInteger tasks = new AtomicInteger();

	private ExecutorService pool = Executors.newFixedThreadPool(3);

	private final ThrottlingManager manager = ThrottlingManager.builder().completionExecutor((task) -> {
		this.tasks.incrementAndGet();
		this.pool.execute(task);
	}).build();

	private final Throttle mutex = this.manager.addOrUpdate("order", Limit.mutex());

	@AfterEach
	void shutDown() {
		this.pool.shutdownNow();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void executorThatFailsOrDropsATaskStopsNoCompletion(boolean drops) {
		AtomicInteger calls = new AtomicInteger();
		Throttle mutex = ThrottlingManager.builder().completionExecutor((task) -> {
			if (calls.getAndIncrement() > 0) {
				this.pool.execute(task);
			}
			else if (!drops) {
				throw new IllegalStateException("No task for now");
			}
		}).build().addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire().permit();
		CompletableFuture<Permit> first = mutex.acquire("", 1, LONG);
		CompletableFuture<Permit> second = mutex.acquire("", 1, LONG);

		permit.close();

		assertThat(first).succeedsWithin(SOON).satisfies(Permit::close);
		assertThat(second).succeedsWithin(SOON);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void chainOfHandOversComesInOrderAndSharesTasks(int threads) {
		usePool(threads);
		List<Integer> entered = new ArrayList<>();
		Permit permit = this.mutex.tryAcquire().permit();
		CompletableFuture<?> last = CompletableFuture.completedFuture(null);
		for (int i = 0; i < MANY; i++) {
			int number = i;
			last = waitInLine((granted) -> {
				entered.add(number);
				granted.close();
			});
		}

		permit.close();

		assertThat(last).succeedsWithin(SOON);
		assertThat(entered).hasSize(MANY).isSorted();
		assertThat(this.tasks).hasValueLessThan(MANY / 4);
	}

	@Test
	void chainOfHandOversSoonCallsNoSecondThreadForEach() {
		Queue<Runnable> called = new ConcurrentLinkedQueue<>();
		Throttle mutex = ThrottlingManager.builder().completionExecutor((task) -> {
			this.tasks.incrementAndGet();
			called.add(task);
		}).build().addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire().permit();
		AtomicInteger entered = new AtomicInteger();
		for (int i = 0; i < MANY; i++) {
			mutex.acquire("", 1, LONG).thenAccept((granted) -> {
				entered.incrementAndGet();
				runAll(called);
				granted.close();
			});
		}

		permit.close();
		while (entered.get() < MANY) {
			runAll(called);
		}

		assertThat(this.tasks).hasValueLessThan(MANY / 2);
	}

	@Test
	void chainWithoutAnEndLetsOthersHaveItsThread() {
		usePool(1);
		CompletableFuture<Void> seen = new CompletableFuture<Void>().orTimeout(SOON.toSeconds(), TimeUnit.SECONDS);
		AtomicInteger entered = new AtomicInteger();
		Permit permit = this.mutex.tryAcquire().permit();
		enterAgain(seen, (granted) -> {
			if (entered.getAndIncrement() == 0) {
				this.pool.execute(() -> seen.complete(null));
			}
			granted.close();
		});

		permit.close();

		assertThat(seen).succeedsWithin(SOON);
	}

	@Test
	void chainOfLongCompletionsLetsOthersHaveItsThreadAfterFew() {
		usePool(1);
		Permit permit = this.mutex.tryAcquire().permit();
		AtomicInteger entered = new AtomicInteger();
		CompletableFuture<Integer> seen = new CompletableFuture<>();
		for (int i = 0; i < MANY; i++) {
			waitInLine((granted) -> {
				if (entered.getAndIncrement() == 0) {
					this.pool.execute(() -> seen.complete(entered.get()));
				}
				spin(LONG_COMPLETION);
				granted.close();
			});
		}

		permit.close();

		assertThat(seen).succeedsWithin(SOON).satisfies((count) -> assertThat(count).isLessThan(2 * FEW));
	}

	@ParameterizedTest
	@CsvSource({ "0, 1, true", "100, 1, false", "100, 2, true" })
	void otherThreadsTakeNothingOutOfABriskChain(int before, int otherThreads, boolean taken) {
		BlockingQueue<Runnable> called = new LinkedBlockingQueue<>();
		Throttle mutex = ThrottlingManager.builder()
			.completionExecutor(called::add)
			.build()
			.addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire().permit();
		for (int i = 0; i < before; i++) {
			mutex.acquire("", 1, LONG).thenAccept(Permit::close);
		}
		CompletableFuture<Void> slow = mutex.acquire("", 1, LONG).thenAccept((granted) -> {
			granted.close();
			for (int i = 0; i < otherThreads; i++) {
				CompletableFuture.runAsync(poll(called), this.pool).join();
			}
		});
		CompletableFuture<Thread> next = mutex.acquire("", 1, LONG).thenApply((granted) -> Thread.currentThread());

		permit.close();
		poll(called).run();

		assertThat(slow).isCompleted();
		assertThat(next).isCompletedWithValueMatching((thread) -> taken == (thread != Thread.currentThread()));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, MANY })
	void completionMayWaitForTheNextInLine(int before) {
		CountDownLatch passed = new CountDownLatch(1);
		Permit permit = this.mutex.tryAcquire().permit();
		for (int i = 0; i < before; i++) {
			waitInLine(Permit::close);
		}
		CompletableFuture<?> blocking = waitInLine((granted) -> {
			granted.close();
			await(passed);
		});
		waitInLine((granted) -> {
			granted.close();
			passed.countDown();
		});

		permit.close();

		assertThat(blocking).succeedsWithin(SOON);
	}

	@Test
	void permitsGrantedAtOnceReachTheirOwnersAtTheSameTime() {
		CyclicBarrier together = new CyclicBarrier(3);
		Throttle exports = this.manager.addOrUpdate("exports", Limit.semaphore(3));
		Permit all = exports.tryAcquire("", 3).permit();
		List<CompletableFuture<Integer>> met = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			met.add(exports.acquire("", 1, LONG).thenApply((granted) -> meet(together)));
		}

		all.close();

		assertThat(met).allSatisfy((each) -> assertThat(each).succeedsWithin(SOON));
	}

	@Test
	void closerCompletesNobodyItself() {
		Permit permit = this.mutex.tryAcquire().permit();
		CompletableFuture<Thread> completing = this.mutex.acquire("", 1, LONG)
			.thenApply((granted) -> Thread.currentThread());

		permit.close();

		assertThat(completing).succeedsWithin(SOON).isNotSameAs(Thread.currentThread());
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, MANY })
	void callerThatRunsWhatThePoolRejectsNeitherNestsNorWaits(int waiters) {
		CountDownLatch end = new CountDownLatch(1);
		this.pool.shutdown();
		this.pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(),
				new ThreadPoolExecutor.CallerRunsPolicy());
		Permit permit = this.mutex.tryAcquire().permit();
		CompletableFuture<?> first = waitInLine((granted) -> {
			granted.close();
			await(end);
		});
		for (int i = 0; i < waiters; i++) {
			boolean last = i == waiters - 1;
			waitInLine((granted) -> {
				granted.close();
				if (last) {
					end.countDown();
				}
			});
		}

		permit.close();

		assertThat(first).succeedsWithin(SOON);
	}

	@Test
	void permitReachesItsOwnerThoughTheExecutorRejects() {
		ThrottlingManager manager = ThrottlingManager.builder().completionExecutor((task) -> {
			throw new RejectedExecutionException("closed");
		}).build();
		Throttle mutex = manager.addOrUpdate("order", Limit.mutex());
		Permit permit = mutex.tryAcquire().permit();
		CompletableFuture<Permit> waiting = mutex.acquire("", 1, LONG);

		permit.close();

		assertThat(waiting).succeedsWithin(SOON);
	}

	private CompletableFuture<Void> waitInLine(Consumer<Permit> whenGranted) {
		return this.mutex.acquire("", 1, LONG).thenAccept(whenGranted);
	}

	/** Waits in line, and again whenever that was granted, until the end. */
	private void enterAgain(CompletableFuture<?> end, Consumer<Permit> whenGranted) {
		waitInLine((granted) -> {
			if (!end.isDone()) {
				enterAgain(end, whenGranted);
			}
			whenGranted.accept(granted);
		});
	}

	private static void spin(Duration time) {
		long start = System.nanoTime();
		while (System.nanoTime() - start < time.toNanos()) {
			Thread.onSpinWait();
		}
	}

	/** Waits for a task, far longer than for a delay, but not until one is missed. */
	private static Runnable poll(BlockingQueue<Runnable> tasks) {
		try {
			return Objects.requireNonNull(tasks.poll(1, TimeUnit.SECONDS));
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private static void runAll(Queue<Runnable> tasks) {
		Runnable task;
		while ((task = tasks.poll()) != null) {
			task.run();
		}
	}

	private void usePool(int threads) {
		this.pool.shutdown();
		this.pool = Executors.newFixedThreadPool(threads);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	private static int meet(CyclicBarrier barrier) {
		try {
			return barrier.await(SOON.toSeconds(), TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

}
