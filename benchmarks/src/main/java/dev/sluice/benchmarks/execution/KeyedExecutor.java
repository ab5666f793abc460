package dev.sluice.benchmarks.execution;

/** A contender: runs the tasks of an id, by which it looks its queue up at each call. */
interface KeyedExecutor extends AutoCloseable {

	/** Runs the task after the tasks of that id that were submitted before. */
	void execute(String id, Task task);

	/** Runs the task before the waiting ones, if the contender knows urgent tasks. */
	default void executeUrgently(String id, Task task) {
		execute(id, task);
	}

	/** Gives back what is the contender's own; the pool is not. */
	@Override
	default void close() {
	}

}
