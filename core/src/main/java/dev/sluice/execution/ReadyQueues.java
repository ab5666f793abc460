package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

/** The queues that wait for a worker, first come first served, and their workers. */
final class ReadyQueues implements Runnable {

	/*
	 * What goes to the pool is this object, never a queue: the worker that it becomes
	 * takes the head of the list, so that the order in which queues get their turn is
	 * ours and not the pool's.
	 *
	 * At most one worker is on its way ("pending"). Who adds a queue and finds none on
	 * its way sends one; who finds one relies on it, and rightly: a worker clears
	 * "pending" before it first looks at the list, so it sees every queue whose owner
	 * found it pending. A worker that leaves queues behind in the list sends the next
	 * before it runs a task; so as many workers run as there are ready queues and the
	 * pool has threads. Each serves one queue after another while any is ready, and goes
	 * back to the pool now and then so that others get their turn there.
	 *
	 * If the pool refuses a worker, the tasks of the queue that it was for fail, unless
	 * another worker has taken that queue meanwhile. Queues added by others who relied on
	 * the refused worker are left to the active ones: a worker uncounts itself and then
	 * looks at the list again. Where none is active, their tasks fail too.
	 *
	 * A worker that starts on the stack of another worker of the same executor (a direct
	 * executor, a caller-runs policy) returns at once: the one below it serves the list
	 * when its own task returns. So nothing recurses.
	 *
	 * Attacked by WorkersTests, FairnessTests, WakeUp (jcstress) and ExecutionSoakTests.
	 */

	/** Turns that a worker serves before it goes back to the pool. */
	private static final int TURNS = 64;

	private static final ThreadLocal<@Nullable Worker> CURRENT = new ThreadLocal<>();

	private static final VarHandle PENDING;

	private static final VarHandle ACTIVE;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			PENDING = lookup.findVarHandle(ReadyQueues.class, "pending", boolean.class);
			ACTIVE = lookup.findVarHandle(ReadyQueues.class, "active", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Executor pool;

	private final ConcurrentLinkedQueue<SequentialQueue> queues = new ConcurrentLinkedQueue<>();

	/** Whether a worker was sent to the pool and has not started. */
	private volatile boolean pending;

	/** How many workers serve the list. */
	private volatile int active;

	ReadyQueues(Executor pool) {
		this.pool = pool;
	}

	/** Appends a queue that its owner has readied, and sees to a worker. */
	void schedule(SequentialQueue queue) {
		this.queues.offer(queue);
		Throwable refusal = send();
		if (refusal != null) {
			if (this.queues.remove(queue)) {
				queue.rejectAll(refusal);
			}
			SequentialQueue stranded;
			while (this.active == 0 && (stranded = this.queues.poll()) != null) {
				stranded.rejectAll(refusal);
			}
		}
	}

	boolean hasWaiting() {
		return !this.queues.isEmpty();
	}

	/** Whether the calling thread runs a task of this executor. */
	boolean isWorker() {
		return current() != null;
	}

	private @Nullable Worker current() {
		for (Worker worker = CURRENT.get(); worker != null; worker = worker.below) {
			if (worker.serves == this) {
				return worker;
			}
		}
		return null;
	}

	/** Sends a worker, if none is on its way; returns why the pool refused it. */
	private @Nullable Throwable send() {
		if (!this.pending && PENDING.compareAndSet(this, false, true)) {
			try {
				this.pool.execute(this);
			}
			catch (Throwable ex) {
				this.pending = false;
				return ex;
			}
		}
		return null;
	}

	/** The life of one worker. */
	@Override
	public void run() {
		Worker same = current();
		if (same != null) {
			same.reentered = true;
			this.pending = false;
			return;
		}
		Worker below = CURRENT.get();
		Worker worker = new Worker(this, below);
		CURRENT.set(worker);
		ACTIVE.getAndAdd(this, 1);
		this.pending = false;
		try {
			serve(worker);
		}
		finally {
			if (below != null) {
				CURRENT.set(below);
			}
			else {
				CURRENT.remove();
			}
			worker.restoreInterrupt();
		}
	}

	private void serve(Worker worker) {
		int turns = 0;
		for (;;) {
			SequentialQueue queue = this.queues.poll();
			if (queue == null) {
				ACTIVE.getAndAdd(this, -1);
				if (!hasWaiting()) {
					return;
				}
				ACTIVE.getAndAdd(this, 1);
				continue;
			}
			if (hasWaiting()) {
				send();
			}
			if (queue.work(worker)) {
				this.queues.offer(queue);
			}
			if (++turns >= TURNS && hasWaiting() && send() == null && !worker.reentered) {
				ACTIVE.getAndAdd(this, -1);
				return;
			}
		}
	}

	/**
	 * One run of a worker on a thread; nested where an executor's task drives another.
	 */
	static final class Worker {

		private final ReadyQueues serves;

		private final @Nullable Worker below;

		private boolean interrupted;

		/** Whether the pool ran another worker on this one's stack: it must not leave. */
		private boolean reentered;

		Worker(ReadyQueues serves, @Nullable Worker below) {
			this.serves = serves;
			this.below = below;
		}

		/** Gives the next task a clear interrupt bit. */
		void clearInterrupt() {
			this.interrupted |= Thread.interrupted();
		}

		private void restoreInterrupt() {
			if (this.interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
