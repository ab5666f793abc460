package dev.sluice.benchmarks.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.openjdk.jmh.infra.Blackhole;

/**
 * A queue in which 10,000 tasks always wait, next to other busy queues, and that receives
 * urgent tasks.
 */
final class Backlog implements AutoCloseable {

	private static final int WAITING = 10_000;

	private static final String ID = "backlog";

	private final KeyedExecutor executor;

	private final List<Circulation> circulations = new ArrayList<>();

	/** Written by the tasks of the queue only, which run one at a time. */
	private volatile int starts;

	Backlog(KeyedExecutor executor, int queues, long work) {
		this.executor = executor;
		Circulation backlog = new Circulation(executor, ID, () -> {
			this.starts = this.starts + 1;
			burn(work);
		});
		backlog.start(WAITING);
		this.circulations.add(backlog);
		for (int other = 1; other < queues; other++) {
			Circulation busy = new Circulation(executor, "busy-" + other, () -> burn(work));
			busy.start(1);
			this.circulations.add(busy);
		}
	}

	private static void burn(long work) {
		if (work > 0) {
			Blackhole.consumeCPU(work);
		}
	}

	/**
	 * Runs an urgent task and counts the queue's other tasks that started after it was
	 * submitted and before it started. A task that a worker had already taken may be
	 * counted.
	 */
	int startsBeforeUrgentTask() {
		CompletableFuture<Integer> startsThen = new CompletableFuture<>();
		this.executor.executeUrgently(ID, () -> startsThen.complete(this.starts));
		int startsNow = this.starts;
		return Math.max(0, startsThen.join() - startsNow);
	}

	@Override
	public void close() {
		this.circulations.forEach(Circulation::stop);
	}

}
