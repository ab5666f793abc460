package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.internal.WorkerRun;
import dev.sluice.internal.Failures;
import dev.sluice.internal.FieldHandles;
import org.jspecify.annotations.Nullable;

/**
 * Owner's side of a {@link SequentialQueue}: takes its tasks in order and runs them, one
 * at a time, and rests while the queue is paused or held.
 */
final class QueueRunner extends WaitingTasks {

	/*
	 * WaitingTasks decides the order in which tasks are taken.
	 *
	 * Resting. PAUSED and HELD mean that the owner must not continue. A worker that reads
	 * one of them moves its ownership to the control word by setting RESTING, and leaves.
	 * The thread that removes the last reason clears RESTING in the same CAS, which makes
	 * it the owner, and schedules the queue. If the reason is removed before RESTING is
	 * set, the worker continues.
	 *
	 * Attacked by SequentialQueueLincheckTests (model checking), PauseTests,
	 * StageAgainstRun and StageAgainstPause (jcstress).
	 */

	private static final byte PAUSED = 1;

	private static final byte HELD = 2;

	private static final byte RESTING = 4;

	private static final VarHandle CONTROL = FieldHandles.find(MethodHandles.lookup(), "control", byte.class);

	private static final VarHandle RUNNER = FieldHandles.find(MethodHandles.lookup(), "runner", int.class);

	/** A byte, so that the object has room for "runner". */
	private volatile byte control;

	/**
	 * Key of the thread that runs the queue, or 0; written by the owner, read by
	 * snapshots and by threads that compare it with their own key.
	 */
	private int runner;

	/** Creates the runner of a queue without an owner, or of one that starts held. */
	QueueRunner(SequentialQueue queue, boolean held) {
		super(queue);
		this.control = held ? (byte) (HELD | RESTING) : 0;
	}

	// Control

	void pause() {
		setReason(PAUSED);
	}

	void resume() {
		if (clearReason(PAUSED)) {
			this.queue.queues.ready.schedule(this.queue);
		}
	}

	boolean isPaused() {
		return (this.control & PAUSED) != 0;
	}

	/** Returns whether the queue is neither paused nor held. */
	boolean mayRun() {
		return this.control == 0;
	}

	private void setReason(byte reason) {
		CONTROL.getAndBitwiseOr(this, reason);
	}

	/**
	 * Returns whether this was the last reason to rest: the caller owns the queue then.
	 */
	private boolean clearReason(byte reason) {
		for (;;) {
			byte current = this.control;
			byte cleared = (byte) (current & ~reason);
			boolean owned = cleared == RESTING;
			if (CONTROL.compareAndSet(this, current, owned ? (byte) 0 : cleared)) {
				return owned;
			}
		}
	}

	/** Moves ownership to the control word, if it holds a reason to rest. */
	private boolean rest() {
		setRunning(false);
		for (;;) {
			byte current = this.control;
			if ((current & (PAUSED | HELD)) == 0) {
				setRunning(true);
				return false;
			}
			if (CONTROL.compareAndSet(this, current, (byte) (current | RESTING))) {
				return true;
			}
		}
	}

	// Running

	/**
	 * Runs waiting tasks on the calling worker until the queue is empty, a stage or a
	 * pause holds it, or the worker yields it to another queue. Returns true in the last
	 * case: the caller still owns the queue.
	 */
	boolean work(WorkerRun worker) {
		QueueRegistry queues = this.queue.queues;
		setRunning(true);
		worker.startQueue();
		for (;;) {
			LeveledTask<?> task = next(queues);
			if (task == null) {
				return false;
			}
			worker.clearInterrupt();
			if (task instanceof Seal last) {
				endAndHandOn(last);
				return false;
			}
			if (!run(queues, task)) {
				return false;
			}
			if (queues.yielding.yieldsAfterTask(worker)) {
				setRunning(false);
				return true;
			}
		}
	}

	/**
	 * Runs a task that was not pushed on the thread of its submitter, which is the owner
	 * of the queue. Returns true if other tasks were pushed: the caller still owns the
	 * queue.
	 */
	boolean runAtOnce(LeveledTask<?> task, WorkerRun caller) {
		QueueRegistry queues = this.queue.queues;
		setRunning(true);
		claimAtOnce(task, queues.maxConsecutiveHigh);
		caller.clearInterrupt();
		if (!run(queues, task) || !mayRun() && rest()) {
			return false;
		}
		setRunning(false);
		return !this.queue.giveUpUntouched();
	}

	/**
	 * Ends every waiting task because no worker could be had. If that ended the
	 * generation, the next one is returned where the caller owns it now.
	 */
	@Nullable SequentialQueue rejectAll(Throwable reason) {
		for (;;) {
			LeveledTask<?> task = next(this.queue.queues);
			if (task == null) {
				return null;
			}
			if (task instanceof Seal last) {
				return end(last);
			}
			if (task.isMarker()) {
				task.succeed(null);
			}
			else {
				task.end(this.queue.queues.outcomes, this.queue.id, TaskOutcome.REJECTED, reason);
				this.queue.placeFreed();
			}
		}
	}

	/** Ends the sealed generation and starts the next. */
	void endAndHandOn(Seal last) {
		SequentialQueue next = end(last);
		if (next != null) {
			next.queues.ready.schedule(next);
		}
	}

	/** Ends the sealed generation; returns the next one if the caller owns it now. */
	private @Nullable SequentialQueue end(Seal last) {
		Throwable failure = last.runActions();
		setRunning(false);
		QueueRegistry queues = this.queue.queues;
		SequentialQueue successor = last.endSuccession((next) -> queues.replace(this.queue, next));
		if (successor != null) {
			successor.forgetPredecessor();
		}
		queues.ended(this.queue);
		if (failure == null) {
			last.succeed(null);
		}
		else {
			last.fail(failure);
		}
		return (successor != null && successor.owner.clearReason(HELD)) ? successor : null;
	}

	/** Runs a claimed task; false if its stage holds the queue now. */
	private boolean run(QueueRegistry queues, LeveledTask<?> task) {
		if (task.isMarker()) {
			task.succeed(null);
			return true;
		}
		if (queues.blocks) {
			this.queue.placeFreed();
		}
		Object body = Objects.requireNonNull(task.takeBody());
		Object result = null;
		try {
			if (task instanceof TimedTask<?> timed && !startInTime(queues, timed)) {
				return true;
			}
			switch (task.kind) {
				case RUNNABLE -> ((Runnable) body).run();
				case CALLABLE -> result = ((Callable<?>) body).call();
				case STAGE -> {
					return runStage(task, (Callable<?>) body);
				}
				case MARKER -> throw new IllegalStateException("A marker has no body");
			}
		}
		catch (Throwable ex) {
			task.end(queues.outcomes, this.queue.id, TaskOutcome.FAILED, ex);
			return true;
		}
		succeed(queues, task, result);
		return true;
	}

	/** False if its time has passed; it has ended then. */
	private boolean startInTime(QueueRegistry queues, TimedTask<?> task) {
		long now = queues.clock.nanoTime();
		task.startAt(now);
		boolean expired = task.isExpired(now);
		if (expired) {
			task.end(queues.outcomes, this.queue.id, TaskOutcome.EXPIRED, new TaskExpiredException(this.queue.id));
		}
		return !expired;
	}

	private boolean runStage(LeveledTask<?> task, Callable<?> body) throws Exception {
		CompletionStage<?> stage = (CompletionStage<?>) body.call();
		if (stage == null) {
			throw new NullPointerException("The task of queue '" + this.queue.id + "' returned no stage");
		}
		if (stage instanceof CompletableFuture<?> future && future.isDone() && !future.isCompletedExceptionally()) {
			succeed(this.queue.queues, task, future.getNow(null));
			return true;
		}
		setReason(HELD);
		try {
			stage.whenComplete((value, failure) -> endStage(task, value, failure));
		}
		catch (Throwable ex) {
			endStage(task, null, ex);
		}
		return !rest();
	}

	/** Ends the task on the thread that ended its stage, then hands the queue on. */
	private void endStage(LeveledTask<?> task, @Nullable Object value, @Nullable Throwable failure) {
		if (task.isDone()) {
			return;
		}
		if (failure == null) {
			succeed(this.queue.queues, task, value);
		}
		else {
			task.end(this.queue.queues.outcomes, this.queue.id, TaskOutcome.FAILED, Failures.cause(failure));
		}
		if (clearReason(HELD)) {
			this.queue.queues.ready.schedule(this.queue);
		}
	}

	private void succeed(QueueRegistry queues, LeveledTask<?> task, @Nullable Object value) {
		countCompleted();
		if (queues.notifiesListeners) {
			task.notifyListeners(queues.outcomes, this.queue.id, TaskOutcome.COMPLETED);
		}
		task.succeed(value);
	}

	/**
	 * The next task, claimed; the seal when all before it have ended; or null after
	 * ownership was given up.
	 */
	private @Nullable LeveledTask<?> next(QueueRegistry queues) {
		if (!mayRun() && rest()) {
			return null;
		}
		return take(queues.maxConsecutiveHigh);
	}

	@Override
	boolean giveUp(@Nullable LeveledTask<?> last, int taken) {
		setRunning(false);
		if (this.queue.giveUp(last, taken)) {
			return true;
		}
		setRunning(true);
		return false;
	}

	// Looking

	QueueState state() {
		int reasons = this.control;
		if ((reasons & PAUSED) != 0) {
			return QueueState.PAUSED;
		}
		if ((reasons & HELD) != 0) {
			return QueueState.HELD;
		}
		if ((int) RUNNER.getOpaque(this) != 0) {
			return QueueState.RUNNING;
		}
		return (this.queue.top() != null) ? QueueState.WAITING : QueueState.IDLE;
	}

	/** Returns whether the calling thread runs a task of the queue. */
	boolean isRunByCaller() {
		return (int) RUNNER.getOpaque(this) == callerKey() && this.queue.queues.ready.isWorker();
	}

	private void setRunning(boolean value) {
		RUNNER.setOpaque(this, value ? callerKey() : 0);
	}

	/**
	 * Returns the lower bits of the id of the calling thread, with one that is always
	 * set: a number takes less space than the thread and costs no barrier.
	 */
	private static int callerKey() {
		return (int) Thread.currentThread().getId() | Integer.MIN_VALUE;
	}

}
