package dev.sluice.benchmarks.execution;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The last future per id, to which the next task is chained. */
final class FutureChainExecutor implements KeyedExecutor {

	private static final CompletableFuture<Task> START = CompletableFuture.completedFuture(() -> {
	});

	private final ConcurrentHashMap<String, CompletableFuture<Task>> tails = new ConcurrentHashMap<>();

	private final Executor pool;

	FutureChainExecutor(Executor pool) {
		this.pool = pool;
	}

	@Override
	public void execute(String id, Task task) {
		this.tails.compute(id, (key, tail) -> ((tail != null) ? tail : START)
			.handleAsync((result, failure) -> task.call(), this.pool));
	}

}
