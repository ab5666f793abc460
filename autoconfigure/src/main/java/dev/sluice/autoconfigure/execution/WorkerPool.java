package dev.sluice.autoconfigure.execution;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Thread pool that adds a thread only for a task that no idle thread takes, and queues
 * tasks once it has reached its maximum size. The pool continues to run while the
 * application context is paused, because sessions stay open then, and it runs their
 * messages and their closing.
 */
public final class WorkerPool extends ThreadPoolTaskExecutor {

	/*
	 * A ThreadPoolExecutor adds threads up to its core size whether or not others are
	 * idle, and beyond it only when its queue is full. This queue accepts a task only if
	 * an idle thread takes it immediately; otherwise the pool adds a thread. At its
	 * maximum size the pool rejects the task, which is then queued. The last thread never
	 * leaves a queue with a task in it (ThreadPoolExecutor#getTask), so no task is
	 * stranded. Attacked by WorkerPoolTests.
	 */

	private static final long serialVersionUID = 1L;

	public WorkerPool(int maximumSize) {
		setCorePoolSize(0);
		setMaxPoolSize(maximumSize);
		setRejectedExecutionHandler(WorkerPool::enqueue);
	}

	@Override
	protected BlockingQueue<Runnable> createQueue(int queueCapacity) {
		return new TransferQueue();
	}

	@Override
	public boolean isPauseable() {
		return false;
	}

	private static void enqueue(Runnable task, ThreadPoolExecutor pool) {
		if (!pool.isShutdown()) {
			pool.getQueue().add(task);
			if (!pool.isShutdown() || !pool.remove(task)) {
				return;
			}
		}
		throw new RejectedExecutionException("The workers have been shut down");
	}

	private static final class TransferQueue extends LinkedTransferQueue<Runnable> {

		private static final long serialVersionUID = 1L;

		@Override
		public boolean offer(Runnable task) {
			return tryTransfer(task);
		}

	}

}
