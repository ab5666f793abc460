package dev.sluice.execution;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.sluice.internal.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Handle of one queue of a {@link SequentialLeveledTaskExecutor}: the executor's methods
 * without the id. It stays valid when the queue is removed (the next task forms a new
 * generation) and saves the look-up by id. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class TaskQueue {

	/*
	 * "current" is the queue object that took the last task. It is a hint, replaced
	 * without a lock: the executor finds the present object if the one given has ended,
	 * so a race costs a look-up. Attacked by RemovalTests and RemoveAgainstSubmit
	 * (jcstress).
	 */

	private final SequentialLeveledTaskExecutor executor;

	private final String id;

	private volatile @Nullable SequentialQueue current;

	TaskQueue(SequentialLeveledTaskExecutor executor, String id, @Nullable SequentialQueue current) {
		this.executor = executor;
		this.id = id;
		this.current = current;
	}

	/**
	 * Returns the queue's id.
	 * @return the id
	 */
	public String id() {
		return this.id;
	}

	/**
	 * Submits a task; see
	 * {@link SequentialLeveledTaskExecutor#submit(String, Level, Callable)}.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param task what to call
	 * @return the task's future
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(Level level, Callable<T> task) {
		return offer(this.executor.task(LeveledTask.Kind.CALLABLE, level, null, task));
	}

	/**
	 * Drops a task for which its submitter has no room, as
	 * {@link OverflowStrategy#DROP_OLDEST} drops a newcomer: the task is counted as
	 * dropped, and listeners are called.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @return the task's future, which has failed with a {@link TaskDroppedException}
	 */
	public <T extends @Nullable Object> LeveledTask<T> drop(Level level) {
		return this.executor.drop(this.id, level);
	}

	/**
	 * Submits a task with a time to live; see
	 * {@link SequentialLeveledTaskExecutor#submit(String, Level, Duration, Callable)}.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param timeToLive how long the task may wait; greater than zero
	 * @param task what to call
	 * @return the task's future
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(Level level, Duration timeToLive, Callable<T> task) {
		return offer(this.executor.task(LeveledTask.Kind.CALLABLE, level, Arguments.notNull("timeToLive", timeToLive),
				task));
	}

	/**
	 * Submits a task; see
	 * {@link SequentialLeveledTaskExecutor#execute(String, Level, Runnable)}.
	 * @param level the task's level
	 * @param task what to run
	 * @return the task's future
	 */
	public LeveledTask<@Nullable Void> execute(Level level, Runnable task) {
		return offer(this.executor.task(LeveledTask.Kind.RUNNABLE, level, null, task));
	}

	/**
	 * Submits a task with a time to live; see
	 * {@link SequentialLeveledTaskExecutor#submit(String, Level, Duration, Callable)}.
	 * @param level the task's level
	 * @param timeToLive how long the task may wait; greater than zero
	 * @param task what to run
	 * @return the task's future
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public LeveledTask<@Nullable Void> execute(Level level, Duration timeToLive, Runnable task) {
		return offer(this.executor.task(LeveledTask.Kind.RUNNABLE, level, Arguments.notNull("timeToLive", timeToLive),
				task));
	}

	/**
	 * Submits an asynchronous task; see
	 * {@link SequentialLeveledTaskExecutor#submitStage(String, Level, Callable)}.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param task returns the stage that the queue waits for
	 * @return the task's future
	 */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(Level level,
			Callable<? extends CompletionStage<T>> task) {
		return offer(this.executor.task(LeveledTask.Kind.STAGE, level, null, task));
	}

	/**
	 * Submits an asynchronous task with a time to live; see
	 * {@link SequentialLeveledTaskExecutor#submitStage(String, Level, Callable)}.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param timeToLive how long the task may wait for its start; greater than zero
	 * @param task returns the stage that the queue waits for
	 * @return the task's future
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(Level level, Duration timeToLive,
			Callable<? extends CompletionStage<T>> task) {
		return offer(
				this.executor.task(LeveledTask.Kind.STAGE, level, Arguments.notNull("timeToLive", timeToLive), task));
	}

	/**
	 * Runs a task on the calling thread if the queue is idle, and submits it as
	 * {@link #submit(Level, Callable)} does if anything runs or waits there, if the queue
	 * is paused, if the calling thread runs a task of this executor, or if as many tasks
	 * run as {@linkplain SequentialLeveledTaskExecutor.Builder#maxConcurrency may}. In
	 * both cases no other task of the queue runs at the same time. Tasks that are
	 * submitted while it runs are left to the workers. The interrupt status of the
	 * calling thread is restored afterwards.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param task what to call
	 * @return the task's future, which has ended if the calling thread ran it
	 */
	public <T extends @Nullable Object> LeveledTask<T> runOrSubmit(Level level, Callable<T> task) {
		return offer(this.executor.task(LeveledTask.Kind.CALLABLE, level, null, task), true);
	}

	/**
	 * Calls an asynchronous task on the calling thread if the queue is idle, and submits
	 * it otherwise; as {@link #runOrSubmit(Level, Callable)} does. The calling thread
	 * does not wait for the stage, but the queue does.
	 * @param <T> the type of the result
	 * @param level the task's level
	 * @param task returns the stage that the queue waits for
	 * @return the task's future
	 */
	public <T extends @Nullable Object> LeveledTask<T> runOrSubmitStage(Level level,
			Callable<? extends CompletionStage<T>> task) {
		return offer(this.executor.task(LeveledTask.Kind.STAGE, level, null, task), true);
	}

	/**
	 * Applies the executor's {@linkplain TaskDecorator decorators} to a part of a task,
	 * for a task that holds its queue by a stage and continues later on any thread.
	 * @param <T> the type of the result
	 * @param part the part to call later
	 * @return the callable to use instead; the same one without decorators
	 */
	public <T extends @Nullable Object> Callable<T> decorated(Callable<T> part) {
		return this.executor.decorated(part);
	}

	/**
	 * Pauses the queue: no further task starts until {@link #resume()}, and the running
	 * task continues. Removing the queue, draining it and shutting down the executor
	 * resume it. Never blocks.
	 */
	public void pause() {
		this.executor.pause(this.id);
	}

	/**
	 * Ends a pause; has no effect if the queue is not paused. Never blocks.
	 */
	public void resume() {
		this.executor.resume(this.id);
	}

	/**
	 * Removes the queue; see {@link SequentialLeveledTaskExecutor#removeQueue(String)}.
	 * @return ends when all that was submitted before has ended
	 */
	public CompletableFuture<@Nullable Void> remove() {
		return this.executor.removeQueue(this.id);
	}

	/**
	 * Removes the queue; see
	 * {@link SequentialLeveledTaskExecutor#removeQueue(String, Runnable)}.
	 * @param onDrained runs when all that was submitted before has ended
	 * @return ends when {@code onDrained} has
	 */
	public CompletableFuture<@Nullable Void> remove(Runnable onDrained) {
		return this.executor.removeQueue(this.id, onDrained);
	}

	/**
	 * Returns the state of the queue.
	 * @return the current state; idle if the queue does not exist
	 */
	public QueueSnapshot snapshot() {
		return this.executor.snapshot(this.id)
			.orElseGet(() -> new QueueSnapshot(this.id, QueueState.IDLE, 0, 0, Duration.ZERO));
	}

	/**
	 * Returns a view of this queue as an {@link Executor}. Unlike the other methods it
	 * throws what rejected a task at once, as an executor should:
	 * {@link QueueFullException}, {@link TaskDroppedException} or another
	 * {@link RejectedExecutionException}.
	 * @param level the level of its tasks
	 * @return an executor that runs its tasks in this queue's order
	 */
	public Executor asExecutor(Level level) {
		Objects.requireNonNull(level, "'level' must not be null");
		return (command) -> {
			LeveledTask<?> task = execute(level, command);
			task.throwIfRejected();
		};
	}

	private <T extends @Nullable Object> LeveledTask<T> offer(LeveledTask<T> task) {
		return offer(task, false);
	}

	private <T extends @Nullable Object> LeveledTask<T> offer(LeveledTask<T> task, boolean atOnce) {
		SequentialQueue known = this.current;
		SequentialQueue taker = this.executor.offer(this.id, known, task, atOnce);
		if (taker != known) {
			this.current = taker;
		}
		return task;
	}

	@Override
	public String toString() {
		return "TaskQueue[" + this.id + "]";
	}

}
