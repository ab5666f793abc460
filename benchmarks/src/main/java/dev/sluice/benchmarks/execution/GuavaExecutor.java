package dev.sluice.benchmarks.execution;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import com.google.common.util.concurrent.MoreExecutors;

/** A sequential executor per id. */
final class GuavaExecutor implements KeyedExecutor {

	private final ConcurrentHashMap<String, Executor> executors = new ConcurrentHashMap<>();

	private final Executor pool;

	GuavaExecutor(Executor pool) {
		this.pool = pool;
	}

	@Override
	public void execute(String id, Task task) {
		of(id).execute(task);
	}

	Executor of(String id) {
		Executor present = this.executors.get(id);
		return (present != null) ? present
				: this.executors.computeIfAbsent(id, (absent) -> MoreExecutors.newSequentialExecutor(this.pool));
	}

}
