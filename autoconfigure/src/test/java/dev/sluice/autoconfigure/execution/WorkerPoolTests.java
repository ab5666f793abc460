package dev.sluice.autoconfigure.execution;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class WorkerPoolTests {

	private final WorkerPool pool = new WorkerPool(3);

	WorkerPoolTests() {
		this.pool.setKeepAliveSeconds(1);
		this.pool.setWaitForTasksToCompleteOnShutdown(true);
		this.pool.initialize();
	}

	@AfterEach
	void close() {
		this.pool.shutdown();
	}

	@Test
	void oneTaskAtATimeNeedsOneThread() throws InterruptedException {
		for (int i = 0; i < 50; i++) {
			CountDownLatch done = new CountDownLatch(1);
			this.pool.execute(done::countDown);
			done.await();
			awaitIdle();
		}
		assertThat(this.pool.getThreadPoolExecutor().getLargestPoolSize()).isOne();
	}

	@Test
	void asManyThreadsRunAsThereAreTasksUpToTheMaximumAndTheOthersWait() throws InterruptedException {
		CountDownLatch started = new CountDownLatch(3);
		CountDownLatch gate = new CountDownLatch(1);
		AtomicInteger ran = new AtomicInteger();
		for (int i = 0; i < 10; i++) {
			this.pool.execute(() -> {
				started.countDown();
				awaitUninterruptibly(gate);
				ran.incrementAndGet();
			});
		}
		started.await();
		assertThat(this.pool.getPoolSize()).isEqualTo(3);
		assertThat(this.pool.getQueueSize()).isEqualTo(7);
		gate.countDown();
		await().untilAtomic(ran, (value) -> assertThat(value).isEqualTo(10));
	}

	@Test
	void idleThreadsLeave() {
		this.pool.execute(() -> {
		});
		await().atMost(Duration.ofSeconds(30)).until(() -> this.pool.getPoolSize() == 0);
	}

	@Test
	void noTaskIsStrandedWhileThreadsComeAndGo() throws InterruptedException {
		this.pool.setKeepAliveSeconds(0);
		int tasks = 20_000;
		CountDownLatch done = new CountDownLatch(tasks);
		for (int i = 0; i < tasks; i++) {
			this.pool.execute(done::countDown);
		}
		assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void whenShutDownThenTasksAreRejected() {
		this.pool.shutdown();
		assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> this.pool.execute(() -> {
		}));
	}

	@Test
	void tasksRunWhileTheApplicationContextIsPaused() {
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.registerBean(WorkerPool.class, () -> this.pool);
			context.refresh();
			context.pause();
			assertThat(CompletableFuture.runAsync(() -> {
			}, this.pool)).succeedsWithin(Duration.ofSeconds(10));
		}
	}

	private void awaitIdle() {
		await().pollInterval(Duration.ofMillis(1))
			.until(() -> this.pool.getActiveCount() == 0 && this.pool.getThreadPoolExecutor().getPoolSize() == 1);
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
