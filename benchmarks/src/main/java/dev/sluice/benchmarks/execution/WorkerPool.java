package dev.sluice.benchmarks.execution;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

/** The pools on which contenders are compared, of two workers each. */
public enum WorkerPool {

	/** {@link Executors#newFixedThreadPool}. */
	FIXED("fixed pool"),

	/** {@link ForkJoinPool} as its constructor makes it. */
	FORK_JOIN("ForkJoinPool");

	static final int WORKERS = 2;

	final String title;

	WorkerPool(String title) {
		this.title = title;
	}

	ExecutorService create() {
		return switch (this) {
			case FIXED -> Executors.newFixedThreadPool(WORKERS);
			case FORK_JOIN -> new ForkJoinPool(WORKERS);
		};
	}

}
