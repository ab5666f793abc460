package dev.sluice.benchmarks.execution;

import java.util.concurrent.Callable;

/** A task whose result is itself, so that no result has to be allocated. */
interface Task extends Runnable, Callable<Task> {

	@Override
	default Task call() {
		run();
		return this;
	}

}
