package dev.sluice.benchmarks.execution;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A sequential executor per id, and a future per task. */
final class GuavaFutureExecutor implements KeyedExecutor {

	private final GuavaExecutor executors;

	GuavaFutureExecutor(Executor pool) {
		this.executors = new GuavaExecutor(pool);
	}

	@Override
	public void execute(String id, Task task) {
		CompletableFuture<Task> future = new CompletableFuture<>();
		this.executors.of(id).execute(() -> {
			try {
				future.complete(task.call());
			}
			catch (Throwable ex) {
				future.completeExceptionally(ex);
			}
		});
	}

}
