package dev.sluice.benchmarks.execution;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import org.openjdk.jol.info.GraphLayout;

/** The bytes that one more idle queue holds, without its id and its entry in a map. */
final class IdleQueue {

	private IdleQueue() {
	}

	static double sluiceBytes(int queues) {
		SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(DirectExecutor.INSTANCE).build();
		executor.execute("first", Level.NORMAL, DirectExecutor.NOTHING);
		long one = size(executor);
		for (int i = 0; i < queues; i++) {
			executor.execute("session-" + i, Level.NORMAL, DirectExecutor.NOTHING);
		}
		return bytes(size(executor) - one, queues);
	}

	static double guavaBytes(int queues) {
		GuavaExecutor executors = new GuavaExecutor(DirectExecutor.INSTANCE);
		executors.execute("first", DirectExecutor.NOTHING);
		long one = size(executors);
		for (int i = 0; i < queues; i++) {
			executors.execute("session-" + i, DirectExecutor.NOTHING);
		}
		return bytes(size(executors) - one, queues);
	}

	private static double bytes(long more, int queues) {
		Map<String, Object> entries = new ConcurrentHashMap<>();
		entries.put("first", true);
		long one = size(entries);
		for (int i = 0; i < queues; i++) {
			entries.put("session-" + i, true);
		}
		return (double) (more - (size(entries) - one)) / queues;
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
