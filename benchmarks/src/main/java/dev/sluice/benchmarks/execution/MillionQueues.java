package dev.sluice.benchmarks.execution;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.SequentialLeveledTaskExecutor;

/**
 * Makes a million queues, each with an id of its own, runs a task in each, twice, and
 * prints the bytes in use at the end. Meant for a small heap.
 */
final class MillionQueues {

	private static final int QUEUES = 1_000_000;

	private static final int PASSES = 2;

	private MillionQueues() {
	}

	public static void main(String[] args) {
		ExecutorService pool = WorkerPool.FIXED.create();
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(pool).build();
		AtomicInteger runs = new AtomicInteger();
		for (int pass = 0; pass < PASSES; pass++) {
			for (int i = 0; i < QUEUES; i++) {
				LeveledTask<?> task = executor.execute("session-" + i, Level.NORMAL, runs::incrementAndGet);
				if (i % 1000 == 0) {
					task.join();
				}
			}
			executor.drain().join();
		}
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		System.out.println(runtime.totalMemory() - runtime.freeMemory());
		boolean all = runs.get() == PASSES * QUEUES && executor.snapshot(0).queues() == QUEUES;
		System.exit(all ? 0 : 1);
	}

}
