package dev.sluice.test.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntToLongFunction;

/** Threads that start together. */
final class Crowd {

	private Crowd() {
	}

	/**
	 * Runs an action on each of a number of threads and returns the sum of the results.
	 */
	static long count(int threads, IntToLongFunction action) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			CyclicBarrier start = new CyclicBarrier(threads);
			List<Future<Long>> results = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int number = i;
				results.add(executor.submit(() -> {
					start.await();
					return action.applyAsLong(number);
				}));
			}
			long sum = 0;
			for (Future<Long> result : results) {
				sum += result.get();
			}
			return sum;
		}
		finally {
			executor.shutdownNow();
		}
	}

}
