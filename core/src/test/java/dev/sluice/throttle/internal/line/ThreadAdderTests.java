package dev.sluice.throttle.internal.line;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ThreadAdderTests {

	/** So many that the ids of some lead to the same share. */
	private static final int THREADS = 20;

	private static final int ROUNDS = 100_000;

	private final ThreadAdder count = new ThreadAdder();

	@Test
	void countsEachOfMany() throws InterruptedException {
		increment(THREADS);

		assertThat(this.count.sum()).isEqualTo((long) THREADS * ROUNDS);
	}

	@Test
	void countsOnForThreadsThatComeLater() throws InterruptedException {
		increment(THREADS);
		increment(THREADS);

		assertThat(this.count.sum()).isEqualTo(2L * THREADS * ROUNDS);
	}

	@Test
	void neverGoesBack() throws InterruptedException {
		List<Thread> threads = start(2);

		long last = 0;
		while (threads.stream().anyMatch(Thread::isAlive)) {
			long sum = this.count.sum();
			assertThat(sum).isBetween(last, 2L * ROUNDS);
			last = sum;
		}

		assertThat(this.count.sum()).isEqualTo(2L * ROUNDS);
	}

	@Test
	void addsWhatItIsGivenOnceAThreadHasAShare() {
		this.count.add(ROUNDS);
		this.count.add(7);
		this.count.add(-3);

		assertThat(this.count.sum()).isEqualTo(ROUNDS + 4);
	}

	private void increment(int threads) throws InterruptedException {
		for (Thread thread : start(threads)) {
			thread.join();
		}
	}

	private List<Thread> start(int size) {
		CountDownLatch start = new CountDownLatch(1);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < size; i++) {
			Thread thread = new Thread(() -> {
				await(start);
				for (int round = 0; round < ROUNDS; round++) {
					this.count.add(1);
				}
			});
			thread.start();
			threads.add(thread);
		}
		start.countDown();
		return threads;
	}

	private static void await(CountDownLatch start) {
		try {
			start.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
