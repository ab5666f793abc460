package dev.sluice.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The race of the article's consumer: a push that falls between the moment in which the
 * loop answers a signal and that in which it is ready for the next was not seen for a
 * whole interval. Here the interval is a day (promise 2).
 */
@Timeout(120)
class LostSignalTests {

	private static final int ROUNDS = 20_000;

	/** So many rounds as a slow machine has time for. */
	private static final Duration LONGEST = Duration.ofSeconds(10);

	private final ExecutorService pool = Executors.newFixedThreadPool(2);

	@AfterEach
	void stop() {
		this.pool.shutdownNow();
	}

	@Test
	void batchesThatFillWhileATurnEndsGoOut() {
		run(1, 2, 2);
		run(3, 3, 2);
	}

	@Test
	void batchesThatFillWhileOneEndsGoOut() {
		run(2, 4, 1);
	}

	/** In each round the producers together push whole batches and wait for their end. */
	private void run(int batchSize, int perProducer, int maxConcurrency) {
		BatchConsumer<Integer> consumer = BatchConsumer.<Integer>builder()
			.batchSize(batchSize)
			.pushInterval(Duration.ofDays(1))
			.maxConcurrency(maxConcurrency)
			.executor(this.pool)
			.build();
		consumer.start((items, slot) -> CompletableFuture.completedFuture(null));
		long start = System.nanoTime();
		Phaser rounds = new Phaser(2) {

			@Override
			protected boolean onAdvance(int phase, int parties) {
				return phase + 1 == ROUNDS || System.nanoTime() - start > LONGEST.toNanos();
			}

		};
		List<CompletableFuture<Void>> producers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			producers.add(CompletableFuture.runAsync(() -> {
				while (!rounds.isTerminated()) {
					CompletableFuture<?> last = null;
					for (int item = 0; item < perProducer; item++) {
						last = consumer.push(item, 0);
					}
					last.orTimeout(20, TimeUnit.SECONDS).join();
					rounds.arriveAndAwaitAdvance();
				}
			}, (task) -> new Thread(task).start()));
		}
		producers.forEach((producer) -> assertThat(producer).succeedsWithin(Duration.ofSeconds(50)));
	}

}
