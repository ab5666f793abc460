package dev.sluice.execution;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A pool without threads: the test decides when a worker runs, on its own thread. */
class ManualWorkers implements Executor {

	private final Queue<Runnable> workers = new ArrayDeque<>();

	private boolean rejecting;

	@Override
	public void execute(Runnable worker) {
		if (this.rejecting) {
			throw new RejectedExecutionException("no workers");
		}
		this.workers.add(worker);
	}

	void reject(boolean rejecting) {
		this.rejecting = rejecting;
	}

	int size() {
		return this.workers.size();
	}

	/** Runs the first worker, if there is one. */
	boolean runOne() {
		Runnable worker = this.workers.poll();
		if (worker != null) {
			worker.run();
		}
		return worker != null;
	}

	void runAll() {
		while (runOne()) {
			continue;
		}
	}

}
