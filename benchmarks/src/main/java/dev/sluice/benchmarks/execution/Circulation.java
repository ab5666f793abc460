package dev.sluice.benchmarks.execution;

/**
 * A task that submits itself again when it runs, so that its queue never empties, until
 * it is stopped.
 */
final class Circulation implements Task {

	private final KeyedExecutor executor;

	private final String id;

	private final Runnable body;

	private volatile boolean stopped;

	Circulation(KeyedExecutor executor, String id, Runnable body) {
		this.executor = executor;
		this.id = id;
		this.body = body;
	}

	/** Lets as many tasks go round. */
	void start(int tasks) {
		for (int i = 0; i < tasks; i++) {
			this.executor.execute(this.id, this);
		}
	}

	@Override
	public void run() {
		this.body.run();
		if (!this.stopped) {
			this.executor.execute(this.id, this);
		}
	}

	void stop() {
		this.stopped = true;
	}

}
