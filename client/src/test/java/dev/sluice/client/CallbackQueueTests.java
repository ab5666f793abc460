package dev.sluice.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.client.CallbackQueue.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallbackQueueTests {

	private static final int CALLBACKS = 20_000;

	private final ExecutorService threads = Executors.newFixedThreadPool(4);

	private final List<Throwable> errors = new ArrayList<>();

	private final CallbackQueue queue = new CallbackQueue(this.threads, this.errors::add);

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void callbacksRunOneAtATimeInOrderWhateverTheyReturnAndWhoeverAddsThem() throws Exception {
		AtomicBoolean running = new AtomicBoolean();
		AtomicInteger overlaps = new AtomicInteger();
		List<Integer> ran = new ArrayList<>();
		CountDownLatch ended = new CountDownLatch(CALLBACKS);
		AtomicInteger next = new AtomicInteger();
		Runnable producer = () -> {
			for (int i = 0; i < CALLBACKS / 2; i++) {
				synchronized (next) {
					int number = next.getAndIncrement();
					this.queue.add(new Callback(true, () -> {
						if (!running.compareAndSet(false, true)) {
							overlaps.incrementAndGet();
						}
					}, () -> {
						ran.add(number);
						return (ThreadLocalRandom.current().nextInt(4) == 0) ? CompletableFuture.runAsync(() -> {
						}, this.threads) : null;
					}, () -> {
						running.set(false);
						ended.countDown();
					}));
				}
				this.queue.drain();
			}
		};
		Thread other = new Thread(producer);
		other.start();
		producer.run();
		other.join();
		assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(overlaps).hasValue(0);
		assertThat(ran).hasSize(CALLBACKS).isSorted();
		assertThat(this.errors).isEmpty();
		assertThat(this.queue.messages()).isZero();
	}

}
