package dev.sluice.benchmarks.execution;

/** A contender: runs the tasks of an id, by which it looks its queue up at each call. */
interface KeyedExecutor extends AutoCloseable {

	/** Runs the task after the tasks of that id that were submitted before. */
	void execute(String id, Task task);

	/** Runs the task before the waiting ones, if the contender supports urgent tasks. */
	default void executeUrgently(String id, Task task) {
		execute(id, task);
	}

	/** Releases the contender's own resources, which exclude the pool. */
	@Override
	default void close() {
	}

}
