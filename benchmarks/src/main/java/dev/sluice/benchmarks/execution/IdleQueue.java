package dev.sluice.benchmarks.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import org.openjdk.jol.info.GraphLayout;

/** The bytes that one more idle queue holds, without its id and its entry in a map. */
final class IdleQueue {

	private static final int QUEUES = 10_000;

	private IdleQueue() {
	}

	static double sluiceBytes() {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(DirectExecutor.INSTANCE).build();
		executor.execute("first", Level.NORMAL, DirectExecutor.NOTHING);
		long one = size(executor);
		for (int i = 0; i < QUEUES; i++) {
			executor.execute("session-" + i, Level.NORMAL, DirectExecutor.NOTHING);
		}
		return bytes(size(executor) - one);
	}

	static double guavaBytes() {
		GuavaExecutor executors = new GuavaExecutor(DirectExecutor.INSTANCE);
		executors.execute("first", DirectExecutor.NOTHING);
		long one = size(executors);
		for (int i = 0; i < QUEUES; i++) {
			executors.execute("session-" + i, DirectExecutor.NOTHING);
		}
		return bytes(size(executors) - one);
	}

	private static double bytes(long more) {
		Map<String, Object> entries = new ConcurrentHashMap<>();
		entries.put("first", true);
		long one = size(entries);
		for (int i = 0; i < QUEUES; i++) {
			entries.put("session-" + i, true);
		}
		return (double) (more - (size(entries) - one)) / QUEUES;
	}

	private static long size(Object root) {
		return GraphLayout.parseInstance(root).totalSize();
	}

	private enum DirectExecutor implements Executor {

		INSTANCE;

		private static final Task NOTHING = () -> {
		};

		@Override
		public void execute(Runnable command) {
			command.run();
		}

	}

}
