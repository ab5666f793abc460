package dev.sluice.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.sluice.execution.SequentialQueue.Push;
import dev.sluice.execution.internal.ReadyQueues;
import dev.sluice.internal.Arguments;
import dev.sluice.internal.GuardedClock;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Executor of queues: the tasks of a queue run one after another, {@link Level#HIGH}
 * before {@link Level#NORMAL} and first come first served within a level, while different
 * queues run in parallel on the workers of any {@link Executor}. A queue comes into being
 * with its first task and lives until it is removed; while it is idle it costs a few
 * dozen bytes, and no thread or timer. Any string is a valid id, including the empty
 * string. Each method that takes an id throws a {@link NullPointerException} naming the
 * argument if it is {@code null}.
 * <p>
 * A task happens before the next one of its queue, and the actions of the submitter
 * before the submission happen before the task. Workers serve ready queues in the order
 * in which they became ready, and leave a busy one after
 * {@link Builder#maxTasksBeforeYield(int) some tasks} if another waits for a worker, so
 * no queue starves another. HIGH tasks may starve NORMAL ones of their own queue unless
 * {@link Builder#maxConsecutiveHigh(int)} bounds that.
 * <p>
 * Every task ends exactly once, and its future has the outcome. A rejected task is
 * returned as a failed future; {@code submit} does not throw. Tasks that throw, even an
 * {@link Error}, do not disturb their queue. Tasks start with a clear interrupt bit.
 * <p>
 * Methods are safe for use by many threads. They never block, except {@link #close()}
 * and, with {@link OverflowStrategy#BLOCK}, submissions to a full queue. The design
 * follows "On Italian Restaurants, Mafia Bosses &amp; Web Sockets" (a sequential, leveled
 * task scheduler with at most one worker per queue), without its locks.
 *
 * @since 0.1.0
 */
public final class SequentialLeveledTaskExecutor implements AutoCloseable {

	/** Maximum of {@link Builder#maxTasksBeforeYield(int)}. */
	public static final int MOST_TASKS_BEFORE_YIELD = 10_000;

	private static final Callable<?> NOTHING = () -> null;

	final QueueRegistry queues;

	private final TaskAdmission admission;

	private final NanoClock clock;

	private final boolean recordsWaits;

	private final List<TaskDecorator> decorators;

	private final @Nullable IdleSweeper idleSweeper;

	private final long closeTimeoutNanos;

	/** For tests, with another number of turns than a worker serves by default. */
	SequentialLeveledTaskExecutor(ExecutorSettings settings, int turns) {
		this.queues = new QueueRegistry(settings, turns);
		this.admission = new TaskAdmission(this.queues, settings);
		this.clock = settings.clock();
		this.recordsWaits = settings.recordsWaits();
		this.decorators = settings.decorators();
		this.closeTimeoutNanos = TimeUnit.NANOSECONDS.convert(settings.closeTimeout());
		Duration idleTime = settings.idleTime();
		this.idleSweeper = (idleTime != null) ? new IdleSweeper(this.queues, TimeUnit.NANOSECONDS.convert(idleTime))
				: null;
	}

	/**
	 * Starts to build an executor.
	 * @param workers runs the workers; never shut down by this class. Any executor will
	 * do: a pool, a thread per task, or one that runs its task at once. Close this one
	 * before its pool: where a pool that is stopped by {@code shutdownNow()} discards a
	 * worker on its way, waiting tasks fail only when, after it has terminated, a task is
	 * submitted to an idle queue or this executor is drained, shut down or closed; and if
	 * it is no {@link java.util.concurrent.ExecutorService}, only when it is closed
	 * @return a builder with the defaults that its methods name
	 */
	public static Builder builder(Executor workers) {
		return new Builder(workers);
	}

	/**
	 * Submits a task to the queue.
	 * @param <T> the type of the result
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param task what to call
	 * @return the task's future, failed already where the task was rejected: with
	 * {@link QueueFullException} or {@link TaskDroppedException} by a full queue, with
	 * {@link RejectedExecutionException} after {@link #shutdown()}, with the exception of
	 * the worker pool where that has no worker for it
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(String id, Level level, Callable<T> task) {
		return offer(id, task(LeveledTask.Kind.CALLABLE, level, null, task));
	}

	/**
	 * Submits a task that must start within some time. The time is checked when the
	 * task's turn comes or its place is needed, not by a timer; use
	 * {@link LeveledTask#orTimeout} to be notified promptly.
	 * @param <T> the type of the result
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param timeToLive how long the task may wait; greater than zero
	 * @param task what to call
	 * @return the task's future, as with {@link #submit(String, Level, Callable)}; fails
	 * with {@link TaskExpiredException} if the time passes first
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(String id, Level level, Duration timeToLive,
			Callable<T> task) {
		return offer(id, task(LeveledTask.Kind.CALLABLE, level, Arguments.notNull("timeToLive", timeToLive), task));
	}

	/**
	 * Submits a task without a result to the queue.
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param task what to run
	 * @return the task's future, as with {@link #submit(String, Level, Callable)}
	 */
	public LeveledTask<@Nullable Void> execute(String id, Level level, Runnable task) {
		return offer(id, task(LeveledTask.Kind.RUNNABLE, level, null, task));
	}

	/**
	 * Submits a task without a result that must start within some time; see
	 * {@link #submit(String, Level, Duration, Callable)}.
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param timeToLive how long the task may wait; greater than zero
	 * @param task what to run
	 * @return the task's future
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public LeveledTask<@Nullable Void> execute(String id, Level level, Duration timeToLive, Runnable task) {
		return offer(id, task(LeveledTask.Kind.RUNNABLE, level, Arguments.notNull("timeToLive", timeToLive), task));
	}

	/**
	 * Submits an asynchronous task: the queue starts no other task until the stage that
	 * it returns has ended, while no thread waits. The task ends as the stage does, on
	 * the thread that ends it.
	 * @param <T> the type of the result
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param task starts the work and returns its stage
	 * @return the task's future, as with {@link #submit(String, Level, Callable)}
	 */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(String id, Level level,
			Callable<? extends CompletionStage<T>> task) {
		return offer(id, task(LeveledTask.Kind.STAGE, level, null, task));
	}

	/**
	 * Submits an asynchronous task that must start within some time; see
	 * {@link #submitStage(String, Level, Callable)} and
	 * {@link #submit(String, Level, Duration, Callable)}.
	 * @param <T> the type of the result
	 * @param id the queue's id; any text
	 * @param level the task's level
	 * @param timeToLive how long the task may wait for its start; greater than zero
	 * @param task starts the work and returns its stage
	 * @return the task's future
	 * @throws IllegalArgumentException if {@code timeToLive} is not greater than zero
	 */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(String id, Level level, Duration timeToLive,
			Callable<? extends CompletionStage<T>> task) {
		return offer(id, task(LeveledTask.Kind.STAGE, level, Arguments.notNull("timeToLive", timeToLive), task));
	}

	/**
	 * Returns a handle of a queue, whether or not the queue exists yet.
	 * @param id the queue's id; any text
	 * @return a handle that is valid for ever
	 */
	public TaskQueue queue(String id) {
		return new TaskQueue(this, id, this.queues.find(id));
	}

	/**
	 * Makes the queue, if it does not exist, before it has a task, so that it counts in
	 * {@link #snapshot}.
	 * @param id the queue's id; any text
	 * @return a handle of it
	 */
	public TaskQueue addQueue(String id) {
		return new TaskQueue(this, id, this.queues.live(id));
	}

	/**
	 * Removes a queue when all that was submitted to it before has ended. Tasks submitted
	 * later are not rejected; they form a new queue of that id, which starts when the old
	 * one has ended. A paused queue is resumed.
	 * @param id the queue's id
	 * @return ends then; at once where there is no such queue
	 */
	public CompletableFuture<@Nullable Void> removeQueue(String id) {
		SequentialQueue queue = this.queues.find(id);
		Seal seal = (queue != null) ? queue.seal(null) : null;
		this.queues.ready.rescue();
		return (seal != null) ? seal.copy() : CompletableFuture.completedFuture(null);
	}

	/**
	 * Removes a queue as {@link #removeQueue(String)} does and runs an action when it has
	 * drained, before any task of a later queue of that id. It works after
	 * {@link #shutdown()} too. The action runs on a worker, or on the calling thread
	 * where the pool has none.
	 * @param id the queue's id
	 * @param onDrained runs last; an exception fails the returned future
	 * @return completes when the action has ended
	 */
	public CompletableFuture<@Nullable Void> removeQueue(String id, Runnable onDrained) {
		Objects.requireNonNull(onDrained, "'onDrained' must not be null");
		Seal seal = this.queues.seal(id, onDrained);
		this.queues.ready.rescue();
		return seal.copy();
	}

	/**
	 * Resumes paused queues and waits for the tasks accepted before this call.
	 * @return completes when all of these tasks have ended; never exceptionally
	 */
	public CompletableFuture<@Nullable Void> drain() {
		List<CompletableFuture<?>> ends = new ArrayList<>();
		for (SequentialQueue queue : this.queues.all()) {
			queue.drain(ends);
		}
		this.queues.ready.rescue();
		return allOf(ends);
	}

	/**
	 * Takes no new tasks and removes every queue. Waiting tasks still run, and a queue
	 * may still be removed with an action, as a disconnect does.
	 * @return ends when every task accepted before has ended; never exceptionally
	 */
	public CompletableFuture<@Nullable Void> shutdown() {
		List<CompletableFuture<?>> ends = this.queues.shutdown();
		this.queues.ready.rescue();
		return allOf(ends);
	}

	/**
	 * Shuts down and waits, at most {@link Builder#closeTimeout(Duration) so long}; then,
	 * or when interrupted, cancels the tasks that still wait. Running tasks are left
	 * alone, and so is the worker pool.
	 * @throws IllegalStateException if called by a task of this executor, which would
	 * wait for itself
	 */
	@Override
	public void close() {
		if (this.queues.ready.isWorker()) {
			throw new IllegalStateException(
					"close() would wait for the task that called it; call shutdown() from a task instead");
		}
		CompletableFuture<@Nullable Void> end = shutdown();
		try {
			end.get(this.closeTimeoutNanos, TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			cancelWaiting();
		}
		catch (InterruptedException ex) {
			cancelWaiting();
			Thread.currentThread().interrupt();
		}
	}

	private void cancelWaiting() {
		this.queues.all().forEach(SequentialQueue::cancelWaiting);
	}

	/**
	 * Returns whether the calling thread runs a task of this executor, as a worker or
	 * {@linkplain TaskQueue#runOrSubmit in the place of one}.
	 * @return whether it does
	 */
	public boolean isWorker() {
		return this.queues.ready.isWorker();
	}

	/**
	 * Returns the state of all queues, in time proportional to their number.
	 * @param top how many of the deepest queues to list; not negative
	 * @return counts and the deepest queues
	 * @throws IllegalArgumentException if {@code top} is negative
	 */
	public ExecutorSnapshot snapshot(int top) {
		return this.queues.snapshot(Arguments.notNegative("top", top), this.clock.nanoTime());
	}

	/**
	 * Returns how many tasks of a queue a worker runs before it turns to another queue
	 * that waits for a worker.
	 * @return the number of tasks
	 */
	public int maxTasksBeforeYield() {
		return this.queues.yielding.maxTasks();
	}

	/**
	 * Changes how many tasks of a queue a worker runs before it turns to another queue
	 * that waits for a worker. Workers that are at a queue go by it, too.
	 * @param tasks the number of tasks; 1 to {@value #MOST_TASKS_BEFORE_YIELD}
	 * @throws IllegalArgumentException if {@code tasks} is out of that range
	 */
	public void setMaxTasksBeforeYield(int tasks) {
		this.queues.yielding.setMaxTasks(turn(tasks));
	}

	/**
	 * Returns the version of the settings that can be changed. Read before a setting, it
	 * is not newer than the setting.
	 * @return the version: 1 at first, incremented by each change
	 */
	public long settingsVersion() {
		return this.queues.yielding.version();
	}

	/**
	 * Returns the state of one queue.
	 * @param id the queue's id
	 * @return the current state, or empty if the queue does not exist
	 */
	public Optional<QueueSnapshot> snapshot(String id) {
		return Optional.ofNullable(this.queues.find(id)).map((queue) -> queue.snapshot(this.clock.nanoTime()));
	}

	<T extends @Nullable Object> LeveledTask<T> task(LeveledTask.Kind kind, Level level, @Nullable Duration timeToLive,
			Object body) {
		Objects.requireNonNull(level, "'level' must not be null");
		Objects.requireNonNull(body, "'task' must not be null");
		if (timeToLive != null) {
			Arguments.positive("timeToLive", timeToLive);
		}
		if (this.decorators.isEmpty()) {
			return newTask(kind, level, timeToLive, body);
		}
		if (kind != LeveledTask.Kind.RUNNABLE) {
			return newTask(kind, level, timeToLive, decorated((Callable<?>) body));
		}
		Runnable runnable = (Runnable) body;
		return newTask(LeveledTask.Kind.CALLABLE, level, timeToLive, decorated(() -> {
			runnable.run();
			return null;
		}));
	}

	<T extends @Nullable Object> Callable<T> decorated(Callable<T> task) {
		Callable<T> decorated = task;
		for (TaskDecorator decorator : this.decorators) {
			Callable<T> made = decorator.decorate(decorated);
			if (made == null) {
				throw new IllegalStateException("TaskDecorator " + decorator.getClass().getName() + " returned null");
			}
			decorated = made;
		}
		return decorated;
	}

	private <T extends @Nullable Object> LeveledTask<T> newTask(LeveledTask.Kind kind, Level level,
			@Nullable Duration timeToLive, Object body) {
		if (timeToLive == null && !this.recordsWaits) {
			return new LeveledTask<>(kind, level, body);
		}
		long nanos = (timeToLive != null) ? TimeUnit.NANOSECONDS.convert(timeToLive) : TimedTask.NO_LIMIT;
		return new TimedTask<>(kind, level, body, this.clock.nanoTime(), nanos);
	}

	private <T extends @Nullable Object> LeveledTask<T> offer(String id, LeveledTask<T> task) {
		offer(id, this.queues.find(id), task, false);
		return task;
	}

	/**
	 * Queues or ends the task, or runs it at once if it is to and the queue is idle;
	 * returns the generation that took or rejected it.
	 */
	@Nullable SequentialQueue offer(String id, @Nullable SequentialQueue known, LeveledTask<?> task, boolean atOnce) {
		if (this.queues.isShutdown()) {
			this.admission.rejectLate(id, task);
			return known;
		}
		SequentialQueue queue = (known != null) ? known : this.queues.live(id);
		Push outcome = atOnce ? queue.runOrOffer(task) : queue.offer(task);
		if (outcome != Push.DONE) {
			queue = this.admission.settle(queue, outcome, task);
		}
		if (this.idleSweeper != null) {
			this.idleSweeper.used(queue, this.clock.nanoTime());
		}
		return queue;
	}

	void pause(String id) {
		SequentialQueue queue = this.queues.live(id);
		while (!queue.pause() && !this.queues.isShutdown()) {
			queue = this.queues.following(queue);
		}
	}

	void resume(String id) {
		SequentialQueue queue = this.queues.find(id);
		if (queue != null) {
			queue.owner.resume();
		}
	}

	<T extends @Nullable Object> LeveledTask<T> drop(String id, Level level) {
		LeveledTask<T> task = newTask(LeveledTask.Kind.CALLABLE, level, null, NOTHING);
		task.claim();
		task.end(this.queues.outcomes, id, TaskOutcome.DROPPED,
				new TaskDroppedException(id, OverflowStrategy.DROP_OLDEST));
		return task;
	}

	private static int turn(int tasks) {
		return Arguments.atMost(MOST_TASKS_BEFORE_YIELD,
				"as no other queue can use that worker until then (use more workers to keep more queues busy)",
				"maxTasksBeforeYield", tasks);
	}

	private static CompletableFuture<@Nullable Void> allOf(List<CompletableFuture<?>> ends) {
		return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
			.<@Nullable Void>handle((result, failure) -> null);
	}

	@Override
	public String toString() {
		return "SequentialLeveledTaskExecutor[queues=" + this.queues.size() + ", shutdown=" + this.queues.isShutdown()
				+ "]";
	}

	/**
	 * Builder of executors; each {@link #build()} makes an independent one. Not safe for
	 * use by many threads.
	 */
	public static final class Builder {

		private final Executor workers;

		private int maxConcurrency = Integer.MAX_VALUE;

		private int maxTasksBeforeYield = 10;

		private int maxConsecutiveHigh = Integer.MAX_VALUE;

		private int queueCapacity = 1024;

		private OverflowStrategy overflow = OverflowStrategy.REJECT;

		private Duration maxBlock = Duration.ofSeconds(1);

		private Duration closeTimeout = Duration.ofSeconds(30);

		private @Nullable Duration idleTime;

		private NanoClock clock = NanoClock.system();

		private final List<TaskDecorator> decorators = new ArrayList<>();

		private final List<ExecutionListener> listeners = new ArrayList<>();

		private boolean recordWaits;

		private Builder(Executor workers) {
			this.workers = Objects.requireNonNull(workers, "'workers' must not be null");
		}

		/**
		 * Sets the maximum number of tasks that run at the same time, including tasks
		 * that {@linkplain TaskQueue#runOrSubmit their submitters run}. While queues wait
		 * for a worker, the last place is reserved for a worker. Default: the limit of
		 * the pool.
		 * @param tasks the number of tasks; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code tasks} is not greater than 0
		 */
		public Builder maxConcurrency(int tasks) {
			this.maxConcurrency = Arguments.positive("maxConcurrency", tasks);
			return this;
		}

		/**
		 * Sets how many tasks of a queue a worker runs before it turns to another queue
		 * that waits for a worker. Default: 10.
		 * @param tasks the number of tasks; 1 to {@value #MOST_TASKS_BEFORE_YIELD}
		 * @return this builder
		 * @throws IllegalArgumentException if {@code tasks} is out of that range
		 */
		public Builder maxTasksBeforeYield(int tasks) {
			this.maxTasksBeforeYield = turn(tasks);
			return this;
		}

		/**
		 * Sets after how many HIGH tasks in a row a waiting NORMAL task of the queue
		 * runs. Default: no limit, HIGH always goes first.
		 * @param tasks the number of tasks; greater than 0
		 * @return this builder
		 * @throws IllegalArgumentException if {@code tasks} is not greater than 0
		 */
		public Builder maxConsecutiveHigh(int tasks) {
			this.maxConsecutiveHigh = Arguments.positive("maxConsecutiveHigh", tasks);
			return this;
		}

		/**
		 * Sets how many tasks may wait in a queue, both levels together, the running one
		 * not counted. Default: 1024.
		 * @param tasks the number of tasks; greater than 0; {@link Integer#MAX_VALUE} is
		 * no limit
		 * @return this builder
		 * @throws IllegalArgumentException if {@code tasks} is not greater than 0
		 */
		public Builder queueCapacity(int tasks) {
			this.queueCapacity = Arguments.positive("queueCapacity", tasks);
			return this;
		}

		/**
		 * Sets the strategy for tasks that are submitted to a full queue. Default:
		 * {@link OverflowStrategy#REJECT}.
		 * @param strategy the strategy
		 * @return this builder
		 */
		public Builder overflow(OverflowStrategy strategy) {
			this.overflow = Objects.requireNonNull(strategy, "'strategy' must not be null");
			return this;
		}

		/**
		 * Sets how long a submitter waits for a place with
		 * {@link OverflowStrategy#BLOCK}. Default: 1 second.
		 * @param time the longest wait; not negative
		 * @return this builder
		 * @throws IllegalArgumentException if {@code time} is negative
		 */
		public Builder maxBlock(Duration time) {
			this.maxBlock = Arguments.notNegative("maxBlock", time);
			return this;
		}

		/**
		 * Sets how long {@link SequentialLeveledTaskExecutor#close()} waits for tasks.
		 * Default: 30 seconds.
		 * @param time the longest wait; not negative
		 * @return this builder
		 * @throws IllegalArgumentException if {@code time} is negative
		 */
		public Builder closeTimeout(Duration time) {
			this.closeTimeout = Arguments.notNegative("closeTimeout", time);
			return this;
		}

		/**
		 * Removes queues that have been idle for some time. No timer is used: each
		 * submission checks a few queues. Default: queues live until they are removed.
		 * @param time how long ago the last submission must be; greater than zero
		 * @return this builder
		 * @throws IllegalArgumentException if {@code time} is not greater than zero
		 */
		public Builder expireIdleAfter(Duration time) {
			this.idleTime = Arguments.positive("expireIdleAfter", time);
			return this;
		}

		/**
		 * Sets the clock by which times to live, waits and idle times are measured.
		 * Default: {@link NanoClock#system()}.
		 * @param clock the clock
		 * @return this builder
		 */
		public Builder clock(NanoClock clock) {
			this.clock = GuardedClock.of(Objects.requireNonNull(clock, "'clock' must not be null"));
			return this;
		}

		/**
		 * Adds a decorator for submitted tasks; the first one added is the closest to the
		 * task. Default: none.
		 * @param decorator the decorator
		 * @return this builder
		 */
		public Builder decorator(TaskDecorator decorator) {
			this.decorators.add(Objects.requireNonNull(decorator, "'decorator' must not be null"));
			return this;
		}

		/**
		 * Adds a listener for the end of every task; implies
		 * {@link #recordWaits(boolean)}. Listeners are called in the order in which they
		 * were added. Default: none.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(ExecutionListener listener) {
			this.listeners.add(Objects.requireNonNull(listener, "'listener' must not be null"));
			return this;
		}

		/**
		 * Sets whether to record the submission time of each task, so that snapshots
		 * contain the oldest wait. It costs two readings of the clock and 24 bytes a
		 * task. Default: false.
		 * @param record whether to note it
		 * @return this builder
		 */
		public Builder recordWaits(boolean record) {
			this.recordWaits = record;
			return this;
		}

		/**
		 * Builds the executor.
		 * @return a new executor
		 */
		public SequentialLeveledTaskExecutor build() {
			return new SequentialLeveledTaskExecutor(settings(), ReadyQueues.TURNS);
		}

		ExecutorSettings settings() {
			return new ExecutorSettings(this.workers, this.clock, this.maxConcurrency, this.maxTasksBeforeYield,
					this.maxConsecutiveHigh, this.queueCapacity, this.overflow, this.maxBlock, this.closeTimeout,
					this.idleTime, this.recordWaits || !this.listeners.isEmpty(), List.copyOf(this.decorators),
					List.copyOf(this.listeners));
		}

	}

}
