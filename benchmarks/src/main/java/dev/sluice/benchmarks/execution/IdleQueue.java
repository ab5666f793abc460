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
		for (int i = 0; i < QUEUES; i++) {
			executor.execute("session-" + i, Level.NORMAL, DirectExecutor.NOTHING);
		}
		return bytes(executor);
	}

	static double guavaBytes() {
		GuavaExecutor executors = new GuavaExecutor(DirectExecutor.INSTANCE);
		for (int i = 0; i < QUEUES; i++) {
			executors.execute("session-" + i, DirectExecutor.NOTHING);
		}
		return bytes(executors);
	}

	private static double bytes(Object executors) {
		Map<String, Object> entries = new ConcurrentHashMap<>();
		for (int i = 0; i < QUEUES; i++) {
			entries.put("session-" + i, true);
		}
		long ids = GraphLayout.parseInstance(entries).totalSize();
		return (double) (GraphLayout.parseInstance(executors).totalSize() - ids) / QUEUES;
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
