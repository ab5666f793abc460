package dev.sluice.execution;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import dev.sluice.execution.SequentialQueue.Push;
import dev.sluice.internal.WaitingThreads;

/**
 * Admits tasks that their queue has not accepted at once: to the next generation if the
 * queue is sealed, and by the overflow strategy if it is full.
 */
final class TaskAdmission {

	private final QueueRegistry queues;

	private final OverflowStrategy overflow;

	private final long maxBlockNanos;

	TaskAdmission(QueueRegistry queues, ExecutorSettings settings) {
		this.queues = queues;
		this.overflow = settings.overflow();
		this.maxBlockNanos = TimeUnit.NANOSECONDS.convert(settings.maxBlock());
	}

	/**
	 * Queues or ends a task that the queue has not taken at once; returns the generation
	 * that took or rejected it.
	 */
	SequentialQueue settle(SequentialQueue first, Push attempt, LeveledTask<?> task) {
		SequentialQueue queue = first;
		Push outcome = attempt;
		for (;;) {
			if (outcome == Push.FULL) {
				outcome = makeRoom(queue, task);
				if (outcome == Push.FULL) {
					reject(queue, task);
				}
			}
			if (outcome != Push.SEALED) {
				return queue;
			}
			if (this.queues.isShutdown()) {
				rejectLate(queue.id, task);
				return queue;
			}
			queue = this.queues.following(queue);
			outcome = queue.offer(task);
		}
	}

	/** Finds a place in a full queue, if its overflow strategy has one. */
	private Push makeRoom(SequentialQueue queue, LeveledTask<?> task) {
		if (queue.expireWaiting()) {
			Push outcome = queue.push(task);
			if (outcome != Push.FULL) {
				return outcome;
			}
		}
		return switch (this.overflow) {
			case REJECT, DROP_NEWEST -> queue.isSealed() ? Push.SEALED : Push.FULL;
			case DROP_OLDEST -> replaceOldest(queue, task);
			case BLOCK -> this.queues.ready.isWorker() ? queue.push(task) : waitForPlace(queue, task);
		};
	}

	/**
	 * Drops tasks until a place is free. If there is neither a place nor a task to drop,
	 * the worker has just taken the last task or another thread is about to count one as
	 * dead, and the next attempt finds its place; or only HIGH tasks wait and the new
	 * task is NORMAL, and the new task itself is dropped.
	 */
	private Push replaceOldest(SequentialQueue queue, LeveledTask<?> task) {
		for (;;) {
			Push outcome = queue.push(task);
			if (outcome != Push.FULL) {
				return outcome;
			}
			LeveledTask<?> oldest = queue.owner.oldestWaiting(task.high);
			if (oldest != null && queue.owner.claim(oldest)) {
				queue.addDead();
				drop(queue, oldest);
			}
			else if (oldest == null && !task.high && queue.waiting() >= this.queues.capacity) {
				return Push.FULL;
			}
		}
	}

	private Push waitForPlace(SequentialQueue queue, LeveledTask<?> task) {
		WaitingThreads line = queue.line();
		boolean placed = line.await(() -> queue.push(task) == Push.DONE, queue::isSealed, this.maxBlockNanos);
		if (placed) {
			return Push.DONE;
		}
		return queue.isSealed() ? Push.SEALED : Push.FULL;
	}

	private void reject(SequentialQueue queue, LeveledTask<?> task) {
		task.claim();
		switch (this.overflow) {
			case REJECT, BLOCK -> task.end(this.queues.outcomes, queue.id, TaskOutcome.REJECTED,
					new QueueFullException(queue.id, this.queues.capacity));
			case DROP_NEWEST, DROP_OLDEST -> drop(queue, task);
		}
	}

	private void drop(SequentialQueue queue, LeveledTask<?> task) {
		task.end(this.queues.outcomes, queue.id, TaskOutcome.DROPPED,
				new TaskDroppedException(queue.id, this.overflow));
	}

	/** Ends a task that comes after shutdown. */
	void rejectLate(String id, LeveledTask<?> task) {
		task.claim();
		task.end(this.queues.outcomes, id, TaskOutcome.REJECTED, new RejectedExecutionException(
				"Queue '" + id + "' takes no more tasks because its executor is shut down"));
	}

}
