package dev.sluice.benchmarks.execution;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A queue that always has work, and quiet queues into which a task comes now and then.
 */
final class Flood implements AutoCloseable {

	static final int QUIET_QUEUES = 99;

	private static final int WAITING = 100;

	private final KeyedExecutor executor;

	private final long taskNanos;

	private final Map<Thread, Integer> starts = new ConcurrentHashMap<>();

	private final Circulation circulation;

	private int next;

	Flood(KeyedExecutor executor, long taskNanos) {
		this.executor = executor;
		this.taskNanos = taskNanos;
		this.circulation = new Circulation(executor, "flood", () -> {
			this.starts.merge(Thread.currentThread(), 1, Integer::sum);
			burn();
		});
	}

	void start() {
		this.circulation.start(WAITING);
	}

	/** Runs a task of the next quiet queue; the future ends when it has ended. */
	CompletableFuture<?> runQuietTask() {
		CompletableFuture<Void> end = new CompletableFuture<>();
		this.executor.execute(nextQuietQueue(), () -> {
			burn();
			end.complete(null);
		});
		return end;
	}

	/**
	 * Runs a task of the next quiet queue; the future returns how many tasks of the flood
	 * the worker that runs it had started since it was ready.
	 */
	CompletableFuture<Integer> startsBeforeQuietTask() {
		CompletableFuture<Integer> counted = new CompletableFuture<>();
		AtomicReference<Map<Thread, Integer>> before = new AtomicReference<>(this.starts);
		this.executor.execute(nextQuietQueue(), () -> {
			Thread worker = Thread.currentThread();
			int startsThen = Objects.requireNonNull(before.get()).getOrDefault(worker, 0);
			counted.complete(this.starts.getOrDefault(worker, 0) - startsThen);
		});
		before.set(Map.copyOf(this.starts));
		return counted;
	}

	private String nextQuietQueue() {
		this.next = (this.next + 1) % QUIET_QUEUES;
		return "quiet-" + this.next;
	}

	private void burn() {
		if (this.taskNanos > 0) {
			long end = System.nanoTime() + this.taskNanos;
			while (System.nanoTime() < end) {
				Thread.onSpinWait();
			}
		}
	}

	@Override
	public void close() {
		this.circulation.stop();
	}

}
