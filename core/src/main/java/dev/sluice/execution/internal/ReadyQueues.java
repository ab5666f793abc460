package dev.sluice.execution.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.internal.FieldHandles;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Queues that are ready for a worker, first come, first served, and their workers. */
public final class ReadyQueues implements Runnable {

	/*
	 * What goes to the pool is this object, never a queue: the worker that it becomes
	 * takes the head of the list, so that the order in which queues get their turn is
	 * ours and not the pool's.
	 *
	 * "workers" counts the active workers in its upper bits; its lowest bit says that one
	 * is on its way. Who adds a queue and finds none on its way sends one; who finds one
	 * relies on it, and rightly: a worker clears the bit before it first looks at the
	 * list, so it sees every queue whose owner found the bit set. A worker that leaves
	 * queues behind in the list sends the next before it runs a task; so as many workers
	 * run as there are ready queues and the pool has threads. Each serves one queue after
	 * another while any is ready, and goes back to the pool now and then so that others
	 * get their turn there.
	 *
	 * If the pool rejects a worker, the tasks of the queue that it was for fail, unless
	 * another worker has taken that queue meanwhile. Queues added by others who relied on
	 * the rejected worker are left to the active ones, or to one on its way. Where there
	 * is neither, their tasks fail too. That misses none: a worker uncounts itself, then
	 * leaves only if the list is empty or another is on its way, and whose worker was
	 * rejected clears that bit, then looks for active ones.
	 *
	 * A pool that is stopped may discard the worker on its way and tells nobody. So one
	 * on its way to a pool that is shut down is not relied on; and when such a pool has
	 * terminated, whoever comes next fails the tasks that were left.
	 *
	 * A worker that starts on the stack of another worker of the same executor (a direct
	 * executor, a caller-runs policy) returns at once: the one below it serves the list
	 * when its own task returns. So nothing recurses.
	 *
	 * A submitter that finds its queue idle may take the place of a worker for one task
	 * of that queue. It is counted as active and bounded with the workers: past "full" it
	 * leaves the queue to them, and so it does with the last place while any queue waits,
	 * so that those who submit without end do not keep the places among themselves. A
	 * worker that finds no place goes back to the pool. Who gives a place up looks at the
	 * list afterwards and sends a worker, as every worker does, so the queues for which
	 * there was no place are seen.
	 *
	 * "sentAt" is when the worker on its way was sent: written by whoever has set the
	 * bit, before the pool sees the worker, and cleared by it before it clears the bit.
	 * So who sees the bit never sees the time of an earlier worker. "fullSince" is when a
	 * worker found no place, until one does or nothing waits; it is for those who look
	 * only.
	 *
	 * Attacked by WorkersLincheckTests, BoundedWorkersLincheckTests, WorkersTests,
	 * CallerRunsTests, FairnessTests, WakeUp, CallerRuns (jcstress) and
	 * ExecutionSoakTests.
	 */

	/** Turns that a worker serves before it goes back to the pool. */
	public static final int TURNS = 64;

	private static final int ON_ITS_WAY = 1;

	private static final int ACTIVE = 2;

	private static final long NOT_SENT = Long.MIN_VALUE;

	private static final AtomicInteger LISTS = new AtomicInteger();

	private static final VarHandle WORKERS = FieldHandles.find(MethodHandles.lookup(), "workers", int.class);

	private final Executor pool;

	/** The pool, where it can tell whether it was shut down. */
	private final @Nullable ExecutorService service;

	private final NanoClock clock;

	/** By which a thread knows the list of which it is a worker. */
	private final int number = LISTS.incrementAndGet();

	private final int turns;

	/** The count of active ones, as in "workers", at which there is no place. */
	private final int full;

	private final Queue<ReadyQueue> list = new ConcurrentLinkedQueue<>();

	private volatile int workers;

	private long sentAt = NOT_SENT;

	private volatile long fullSince = NOT_SENT;

	/**
	 * Creates the list.
	 * @param concurrency most workers, and submitters in the place of one, at a time
	 * @param turns turns that a worker serves before it goes back to the pool
	 */
	public ReadyQueues(Executor pool, NanoClock clock, int concurrency, int turns) {
		this.pool = pool;
		this.clock = clock;
		this.service = (pool instanceof ExecutorService known) ? known : null;
		this.turns = turns;
		this.full = (concurrency < Integer.MAX_VALUE / ACTIVE) ? concurrency * ACTIVE : Integer.MAX_VALUE;
	}

	/** Appends a queue that its owner has readied, and sees to a worker. */
	public void schedule(ReadyQueue queue) {
		this.list.add(queue);
		Throwable cause = send();
		if (cause != null) {
			if (this.list.remove(queue)) {
				reject(queue, cause);
			}
			rejectStranded(cause);
		}
	}

	/**
	 * Lets the calling thread take the place of a worker, to run a task of its own, until
	 * it {@link #leave leaves}. Null if the place is for those who wait, or if the thread
	 * runs a task of this executor already.
	 */
	public @Nullable WorkerRun enter() {
		return (!isWorker() && takePlace()) ? WorkerRun.begin(this.number, this.list) : null;
	}

	/**
	 * Gives the place of a worker up, and leaves a queue that the caller owns, if there
	 * is one, to the workers.
	 */
	public void leave(WorkerRun caller, @Nullable ReadyQueue owned) {
		caller.end();
		WORKERS.getAndAdd(this, -ACTIVE);
		if (owned != null) {
			schedule(owned);
		}
		else if (hasWaiting()) {
			relieve();
		}
		else {
			noteFull(false);
		}
	}

	/** Takes the place of a worker, unless that is for those who wait. */
	private boolean takePlace() {
		for (;;) {
			int current = this.workers;
			int active = current & ~ON_ITS_WAY;
			if (active >= this.full || active >= this.full - ACTIVE && hasWaiting()) {
				return false;
			}
			if (WORKERS.compareAndSet(this, current, current + ACTIVE)) {
				return true;
			}
		}
	}

	/** Sees to a worker for what was left behind while there was no place for one. */
	private void relieve() {
		Throwable cause = send();
		if (cause != null) {
			rejectStranded(cause);
		}
	}

	/** Fails the tasks that wait for a worker which a stopped pool has discarded. */
	public void rescue() {
		if (isPoolTerminated()) {
			rejectStranded(stopped());
		}
	}

	private void rejectStranded(Throwable reason) {
		ReadyQueue stranded;
		while ((this.workers == 0 || isPoolTerminated()) && (stranded = this.list.poll()) != null) {
			reject(stranded, reason);
		}
	}

	private static void reject(ReadyQueue queue, Throwable cause) {
		for (ReadyQueue next = queue; next != null;) {
			next = next.rejectAll(cause);
		}
	}

	private boolean hasWaiting() {
		return !this.list.isEmpty();
	}

	/**
	 * How long queues have been ready while the pool has had no thread for a worker, or
	 * there was no place for one.
	 */
	public long workerWaitNanos(long now) {
		if (!hasWaiting()) {
			return 0;
		}
		long since = ((this.workers & ON_ITS_WAY) != 0) ? this.sentAt : this.fullSince;
		return (since != NOT_SENT) ? Math.max(0, now - since) : 0;
	}

	/** Returns whether the calling thread runs a task of this executor. */
	public boolean isWorker() {
		return WorkerRun.isWorkerOf(this.number);
	}

	/** Sends a worker, if none is on its way; returns why the pool rejected it. */
	private @Nullable Throwable send() {
		if ((this.workers & ON_ITS_WAY) == 0 && ((int) WORKERS.getAndBitwiseOr(this, ON_ITS_WAY) & ON_ITS_WAY) == 0) {
			try {
				this.sentAt = this.clock.nanoTime();
				this.pool.execute(this);
			}
			catch (Throwable ex) {
				this.sentAt = NOT_SENT;
				WORKERS.getAndBitwiseAnd(this, ~ON_ITS_WAY);
				return ex;
			}
		}
		else if (this.workers < ACTIVE && isPoolShutDown()) {
			return stopped();
		}
		return null;
	}

	private boolean isPoolShutDown() {
		return this.service != null && this.service.isShutdown();
	}

	private boolean isPoolTerminated() {
		return this.service != null && this.service.isTerminated();
	}

	private static RejectedExecutionException stopped() {
		return new RejectedExecutionException("The worker pool is shut down and has no worker for this queue");
	}

	/** The life of one worker. */
	@Override
	public void run() {
		if (WorkerRun.reenter(this.number)) {
			this.sentAt = NOT_SENT;
			WORKERS.getAndBitwiseAnd(this, ~ON_ITS_WAY);
			return;
		}
		if (!arrive()) {
			return;
		}
		WorkerRun worker = WorkerRun.begin(this.number, this.list);
		try {
			serve(worker);
		}
		finally {
			worker.end();
		}
	}

	/**
	 * Counts a worker as active, if there is a place for it. It need not count as on its
	 * way any more: a pool may throw, for want of a thread, and run the worker
	 * nevertheless.
	 */
	private boolean arrive() {
		this.sentAt = NOT_SENT;
		for (;;) {
			int current = this.workers;
			int active = current & ~ON_ITS_WAY;
			boolean place = active < this.full;
			if (WORKERS.compareAndSet(this, current, place ? active + ACTIVE : active)) {
				noteFull(!place);
				return place;
			}
		}
	}

	/** Counts an active worker again that was about to leave, if it has its place yet. */
	private boolean stay() {
		for (;;) {
			int current = this.workers;
			if ((current & ~ON_ITS_WAY) >= this.full) {
				return false;
			}
			if (WORKERS.compareAndSet(this, current, current + ACTIVE)) {
				return true;
			}
		}
	}

	private void noteFull(boolean full) {
		if (full != (this.fullSince != NOT_SENT)) {
			this.fullSince = full ? this.clock.nanoTime() : NOT_SENT;
		}
	}

	private void serve(WorkerRun worker) {
		int served = 0;
		for (;;) {
			ReadyQueue queue = this.list.poll();
			if (queue == null) {
				WORKERS.getAndAdd(this, -ACTIVE);
				if (!hasWaiting()) {
					noteFull(false);
					return;
				}
				if (!stay()) {
					return;
				}
				continue;
			}
			if (hasWaiting()) {
				send();
			}
			if (queue.work(worker)) {
				this.list.add(queue);
			}
			if (++served >= this.turns && hasWaiting() && !isPoolShutDown() && send() == null
					&& !worker.isReentered()) {
				int others = (int) WORKERS.getAndAdd(this, -ACTIVE) - ACTIVE;
				if ((others & ON_ITS_WAY) != 0 || !stay()) {
					return;
				}
			}
		}
	}

}
