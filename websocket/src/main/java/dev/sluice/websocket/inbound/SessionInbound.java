package dev.sluice.websocket.inbound;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.execution.LeveledTask;
import dev.sluice.execution.TaskQueue;
import dev.sluice.websocket.SessionClosedException;
import org.jspecify.annotations.Nullable;

/**
 * Inbound side of one session: its tasks, each in its turn, and its end as the last one.
 */
public final class SessionInbound {

	/*
	 * No task starts after the last one, and no queue stays behind. The end seals the
	 * queue, so that tasks accepted before it run before it. A task that comes later
	 * creates the queue again, which starts when the end has run; the task reads "over"
	 * and fails. After submitting, the caller reads "ending" and removes the queue again.
	 * "ending" is marked before the removal, so that one of the two detects the other.
	 * Attacked by SessionEndsTests and ClientsHostileTests.
	 */

	private final TaskQueue queue;

	private final InboundPressure pressure;

	private volatile boolean ending;

	private volatile boolean over;

	/**
	 * Creates the turns of a session.
	 * @param pressure notified of each stage that a turn waits for; determines whether
	 * the calling thread runs the tasks that it submits while no other task has the turn
	 */
	public SessionInbound(TaskQueue queue, InboundPressure pressure) {
		this.queue = queue;
		this.pressure = pressure;
	}

	/**
	 * Submits a task, or runs it if the calling thread is to handle the messages it has
	 * read.
	 * @return the task's future, which fails with a {@link SessionClosedException} if the
	 * session has ended
	 */
	public <T extends @Nullable Object> LeveledTask<T> submit(Level level, Callable<T> task) {
		Callable<T> checked = () -> {
			requireNotOver();
			return task.call();
		};
		return submitted(
				this.pressure.isHandler() ? this.queue.runOrSubmit(level, checked) : this.queue.submit(level, checked));
	}

	/** Submits a task; as {@link #submit}. */
	public LeveledTask<@Nullable Void> execute(Level level, Runnable task) {
		return this.<@Nullable Void>submit(level, () -> {
			task.run();
			return null;
		});
	}

	/** Submits a task that holds the queue until its stage ends; as {@link #submit}. */
	public <T extends @Nullable Object> LeveledTask<T> submitStage(Level level,
			Callable<? extends CompletionStage<T>> task) {
		Callable<CompletionStage<T>> checked = () -> {
			requireNotOver();
			CompletionStage<T> stage = task.call();
			this.pressure.parked(stage);
			return stage;
		};
		return submitted(this.pressure.isHandler() ? this.queue.<T>runOrSubmitStage(level, checked)
				: this.queue.<T>submitStage(level, checked));
	}

	/** Propagates the context of a task to a later part of it. */
	public <T extends @Nullable Object> Callable<T> decorated(Callable<T> part) {
		return this.queue.decorated(part);
	}

	/**
	 * Runs the tasks that were submitted before; others may follow.
	 * @return ends when they have run
	 */
	public CompletableFuture<@Nullable Void> drain() {
		return this.queue.remove();
	}

	/**
	 * Runs the last task, after all that were submitted before.
	 * @return ends when the last task has run
	 */
	public CompletableFuture<@Nullable Void> end(Runnable last) {
		this.ending = true;
		return this.queue.remove(() -> {
			this.over = true;
			last.run();
		});
	}

	/** Returns whether the last task has begun. */
	public boolean isOver() {
		return this.over;
	}

	private <T extends @Nullable Object> LeveledTask<T> submitted(LeveledTask<T> task) {
		if (this.ending) {
			this.queue.remove();
		}
		return task;
	}

	private void requireNotOver() throws SessionClosedException {
		if (this.over) {
			throw new SessionClosedException(this.queue.id());
		}
	}

}
