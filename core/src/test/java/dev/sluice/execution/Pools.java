package dev.sluice.execution;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

/** The kinds of worker pools that users have. */
enum Pools {

	FIXED {
		@Override
		ExecutorService create(int workers) {
			return Executors.newFixedThreadPool(workers);
		}
	},

	FORK_JOIN {
		@Override
		ExecutorService create(int workers) {
			return new ForkJoinPool(workers);
		}
	},

	FORK_JOIN_ASYNC {
		@Override
		ExecutorService create(int workers) {
			return new ForkJoinPool(workers, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
		}
	},

	/** A virtual thread a worker; platform threads on a JDK that has none. */
	THREAD_PER_TASK {
		@Override
		ExecutorService create(int workers) {
			try {
				return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
			}
			catch (ReflectiveOperationException ex) {
				return Executors.newCachedThreadPool();
			}
		}
	};

	abstract ExecutorService create(int workers);

}
