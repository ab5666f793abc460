package dev.sluice.benchmarks.batches;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link LinkedBlockingQueue} per slot and a thread that drains it: bounded, no
 * futures. It sleeps while the queue is empty, and waits for more only until the interval
 * of the first item is over.
 */
final class QueueBatcher implements Batcher {

	private final List<BlockingQueue<Integer>> queues = new ArrayList<>();

	private final ExecutorService threads;

	private final long intervalNanos;

	QueueBatcher(int slots, int capacity, Duration interval, CountingPump pump) {
		this.threads = Threads.pool(slots);
		this.intervalNanos = interval.toNanos();
		for (int i = 0; i < slots; i++) {
			int slot = i;
			BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(capacity);
			this.queues.add(queue);
			this.threads.execute(() -> drain(queue, slot, pump));
		}
	}

	private void drain(BlockingQueue<Integer> queue, int slot, CountingPump pump) {
		List<Integer> batch = new ArrayList<>(BATCH_SIZE);
		try {
			while (true) {
				gather(queue, batch);
				pump.accept(batch, slot);
				batch.clear();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void gather(BlockingQueue<Integer> queue, List<Integer> batch) throws InterruptedException {
		batch.add(queue.take());
		long deadline = System.nanoTime() + this.intervalNanos;
		while (batch.size() < BATCH_SIZE) {
			if (queue.drainTo(batch, BATCH_SIZE - batch.size()) == 0) {
				Integer item = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				if (item == null) {
					return;
				}
				batch.add(item);
			}
		}
	}

	@Override
	public void push(Integer item, int slot) {
		try {
			this.queues.get(slot).put(item);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
