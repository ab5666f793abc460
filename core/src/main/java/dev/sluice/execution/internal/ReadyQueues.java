package dev.sluice.execution.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.internal.FatalErrors;
import dev.sluice.internal.FieldHandles;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Queues that are ready for a worker, first come, first served, and their workers. */
public final class ReadyQueues implements Runnable {

	/*
	 * The pool receives this object, never a queue. The worker that runs it takes the
	 * head of the list, so this class and not the pool decides the order of the queues.
	 *
	 * "workers" counts the active workers in its upper bits. Its lowest bit is set while
	 * a worker is on its way. A thread that adds a queue sends a worker if the bit is
	 * clear, and otherwise relies on the worker on its way: that worker clears the bit
	 * before it first reads the list, so it finds every queue that was added while the
	 * bit was set. A worker that leaves queues in the list sends the next worker before
	 * it runs a task, so as many workers run as there are ready queues and the pool has
	 * threads. A worker serves one queue after another while any is ready, and returns to
	 * the pool now and then, so that other users of the pool get a turn.
	 *
	 * If the pool rejects a worker, the tasks of the queue that it was sent for fail,
	 * unless another worker has taken that queue in the meantime. Queues that other
	 * threads added and that relied on the rejected worker are left to the active workers
	 * or to one on its way. If there is neither, their tasks fail as well. No queue is
	 * missed: a worker first uncounts itself and then leaves only if the list is empty or
	 * another worker is on its way, and the sender of a rejected worker first clears the
	 * bit and then checks for active workers.
	 *
	 * A pool that is stopped may discard the worker on its way without notice. A worker
	 * on its way to a pool that is shut down is therefore not relied on. When such a pool
	 * has terminated, the next caller fails the remaining tasks.
	 *
	 * A worker that starts on the stack of another worker of the same executor (a direct
	 * executor, a caller-runs policy) returns at once: the outer worker serves the list
	 * when its own task returns. So the stack does not grow.
	 *
	 * A submitter that finds its queue idle may take the place of a worker for one task
	 * of that queue. It is counted as active and bounded with the workers: at "full" it
	 * leaves the queue to them. It does so at the last place as well while any queue
	 * waits, so that submitters cannot occupy all places for ever. A worker that finds no
	 * place returns to the pool. A thread that gives up a place checks the list
	 * afterwards and sends a worker, as every worker does, so queues for which there was
	 * no place are served.
	 *
	 * "sentAt" is the time at which the worker on its way was sent. The thread that has
	 * set the bit writes it before the pool receives the worker, and the worker clears it
	 * before it clears the bit, so a reader that finds the bit set never reads the time
	 * of an earlier worker. "fullSince" is the time at which a worker found no place,
	 * until one finds a place or no queue waits; only snapshots read it.
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

	/** The pool if it is an {@link ExecutorService}, which can be shut down. */
	private final @Nullable ExecutorService service;

	private final NanoClock clock;

	/** Identifies this list to its worker threads. */
	private final int number = LISTS.incrementAndGet();

	private final int turns;

	/** Value of "workers", without its lowest bit, at which no place is free. */
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

	/** Appends a queue that its owner has made ready, and sends a worker if needed. */
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
	 * Takes the place of a worker for the calling thread, to run a task of its own, until
	 * it {@link #leave leaves}. Returns null if the place is reserved for waiting queues
	 * or if the thread already runs a task of this executor.
	 */
	public @Nullable WorkerRun enter() {
		return (!isWorker() && takePlace()) ? WorkerRun.begin(this.number, this.list) : null;
	}

	/**
	 * Gives up the place of a worker, and hands a queue that the caller owns, if any, to
	 * the workers.
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

	/** Takes the place of a worker, unless it is reserved for waiting queues. */
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

	/** Sends a worker for queues that were added while no place was free. */
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
	 * Returns how long queues have been ready without a worker, because the pool had no
	 * thread or no place was free.
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
				FatalErrors.passOn(ex);
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

	/** Runs one worker. */
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
	 * Counts a worker as active if a place is free. Its bit may be clear already: a pool
	 * may throw because it has no thread and still run the worker later.
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

	/** Counts a worker that was about to leave as active again, if a place is free. */
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
