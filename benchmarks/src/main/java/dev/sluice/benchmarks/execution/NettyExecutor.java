package dev.sluice.benchmarks.execution;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.NonStickyEventExecutorGroup;
import io.netty.util.concurrent.UnorderedThreadPoolEventExecutor;

/** A non-sticky event executor per id. */
final class NettyExecutor implements KeyedExecutor {

	private final ConcurrentHashMap<String, Executor> executors = new ConcurrentHashMap<>();

	/** Deprecated for handlers of a channel; nothing has taken its place. */
	@SuppressWarnings("deprecation")
	private final EventExecutorGroup threads = new UnorderedThreadPoolEventExecutor(WorkerPool.WORKERS);

	private final NonStickyEventExecutorGroup group = new NonStickyEventExecutorGroup(this.threads);

	@Override
	public void execute(String id, Task task) {
		Executor present = this.executors.get(id);
		if (present == null) {
			present = this.executors.computeIfAbsent(id, (absent) -> this.group.next());
		}
		present.execute(task);
	}

	@Override
	public void close() {
		this.threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
	}

}
