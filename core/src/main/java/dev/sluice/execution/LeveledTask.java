package dev.sluice.execution;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import dev.sluice.execution.internal.UnobservedFailure;
import dev.sluice.internal.FieldHandles;
import dev.sluice.internal.SpinGuard;
import org.jspecify.annotations.Nullable;

/**
 * Submitted task and the future of its result.
 * <p>
 * It ends exactly once: with the task's result or exception, or, before it started,
 * cancelled, expired, dropped or rejected. Completing it from outside before it starts
 * ({@link #complete}, {@link #completeExceptionally}, {@link #cancel},
 * {@link #orTimeout}) removes it from its queue at once. After the start, these methods
 * have no effect and return {@code false}, and the queue continues only when the task's
 * body, or its stage, has ended. A running task is never interrupted.
 * <p>
 * Dependents registered before the end, by methods without {@code Async}, run on the
 * worker before the queue's next task, or on the thread that ends the task's stage. They
 * are plain {@link CompletableFuture}s: cancelling one does not cancel the task. A task
 * that waits for a later task of its own queue waits for ever; {@link #join} and
 * {@link #get()} throw an {@link IllegalStateException} instead.
 * <p>
 * The failure of a task that has no dependents and is never observed is logged once, when
 * the task has been garbage collected.
 *
 * @param <T> the type of the result
 * @since 0.1.0
 */
public sealed class LeveledTask<T extends @Nullable Object> extends CompletableFuture<T> permits TimedTask, Seal {

	/*
	 * The task is the node of its queue. "next" leads to the task that was pushed after
	 * it and is written by the thread that pushed that task. "sortedNext" links the list
	 * of its level and is written under the queue's guard, as is "claimed". Only the
	 * thread that moves "claimed" from false to true ends the future: the worker that
	 * takes the task, or the thread that withdraws or drops it. A claimed node that is
	 * still in the queue is dead and is unlinked in passing. Attacked by LeveledTaskTests
	 * and CancelAgainstRun (jcstress).
	 */

	/** Kind of a task's body. */
	enum Kind {

		CALLABLE, RUNNABLE, STAGE,

		/** Ends when its turn comes; takes no place and is not visible to users. */
		MARKER

	}

	private static final VarHandle NEXT = FieldHandles.find(MethodHandles.lookup(), "next", LeveledTask.class);

	private static final VarHandle CLAIMED = FieldHandles.find(MethodHandles.lookup(), "claimed", boolean.class);

	private static final VarHandle SETTLED = FieldHandles.find(MethodHandles.lookup(), "settled", boolean.class);

	private @Nullable LeveledTask<?> next;

	@Nullable LeveledTask<?> sortedNext;

	/** The generation that holds the task; set before it is pushed. */
	@Nullable SequentialQueue queue;

	private @Nullable Object body;

	final Kind kind;

	final boolean high;

	/** Written under the guard of the queue, or before the task is pushed. */
	private volatile boolean claimed;

	/** Whether "position" is final; false only just after a push to an idle queue. */
	private boolean settled;

	/** Written before the future ends, read after. */
	private boolean rejected;

	/** Number of counted tasks pushed up to this one since the queue was created. */
	private int position;

	LeveledTask(Kind kind, Level level, @Nullable Object body) {
		this.kind = kind;
		this.high = level == Level.HIGH;
		this.body = body;
	}

	/** Creates a node that takes no place and ends when its turn comes. */
	static LeveledTask<?> marker(Level level) {
		LeveledTask<@Nullable Void> marker = new LeveledTask<>(Kind.MARKER, level, null);
		marker.settled = true;
		return marker;
	}

	final boolean isMarker() {
		return this.kind == Kind.MARKER;
	}

	/** Returns whether this is the last node of its generation. */
	boolean isSeal() {
		return false;
	}

	/**
	 * Prepares the node for a push to an idle queue, which sets its position later.
	 */
	final void unsettle() {
		this.settled = false;
	}

	final void settle(int position) {
		this.position = position;
		SETTLED.setRelease(this, true);
	}

	/** Prepares the node for a push to a known position. */
	final void settleBefore(int position) {
		this.position = position;
		this.settled = true;
	}

	/** Links the node that was pushed after this one. */
	final void linkNext(LeveledTask<?> pushed) {
		NEXT.setRelease(this, pushed);
	}

	/** Returns the node pushed after this one, or null if it is not linked yet. */
	final @Nullable LeveledTask<?> linkedNext() {
		return (LeveledTask<?>) NEXT.getAcquire(this);
	}

	/** Releases the node pushed after this one, which is no longer needed here. */
	final void unlinkNext() {
		this.next = null;
	}

	/** Returns the position, once the thread that pushed the node has set it. */
	final int settledPosition() {
		for (int spins = 0; !(boolean) SETTLED.getAcquire(this); spins++) {
			SpinGuard.pause(spins);
		}
		return this.position;
	}

	/**
	 * Returns the task's level.
	 * @return the level it was submitted with
	 */
	public Level level() {
		return this.high ? Level.HIGH : Level.NORMAL;
	}

	/**
	 * Wins the right to end this task; at most one caller wins. The caller holds the
	 * guard of the queue, or the task was not pushed.
	 */
	final boolean claim() {
		boolean won = !this.claimed;
		if (won) {
			CLAIMED.setRelease(this, true);
		}
		return won;
	}

	final boolean isClaimed() {
		return this.claimed;
	}

	/**
	 * Returns the body and clears it; called once, by the thread that claimed the task.
	 */
	final @Nullable Object takeBody() {
		Object taken = this.body;
		this.body = null;
		return taken;
	}

	/**
	 * Ends the task without a result and records its outcome; called only by the thread
	 * that claimed it.
	 */
	final void end(OutcomeRecorder outcomes, String queueId, TaskOutcome outcome, Throwable reason) {
		outcomes.count(outcome);
		notifyListeners(outcomes, queueId, outcome);
		switch (outcome) {
			case REJECTED, DROPPED -> reject(reason);
			case FAILED -> fail(queueId, reason);
			default -> fail(reason);
		}
	}

	/** Calls the listeners, if there are any, as the task ends. */
	final void notifyListeners(OutcomeRecorder outcomes, String queueId, TaskOutcome outcome) {
		if (outcomes.hasListeners() && this instanceof TimedTask<?> timed) {
			timed.reportTimes(outcomes, queueId, outcome);
		}
	}

	/** Completes the future; called only by the thread that claimed the task. */
	@SuppressWarnings("unchecked")
	final boolean succeed(@Nullable Object value) {
		return super.complete((T) value);
	}

	/** Fails the future; called only by the thread that claimed the task. */
	final boolean fail(Throwable reason) {
		this.body = null;
		return super.completeExceptionally(reason);
	}

	/**
	 * Fails the future of a task that threw. If it has no dependents, the failure
	 * replaces the body, so that a later reader of the future can mark it as observed.
	 */
	private void fail(String queueId, Throwable reason) {
		UnobservedFailure unobserved = UnobservedFailure.of(this, queueId, reason);
		this.body = unobserved;
		super.completeExceptionally(reason);
		if (unobserved != null) {
			unobserved.watch(this);
		}
	}

	/** Marks a failure as observed. */
	private void observed() {
		if (this.body instanceof UnobservedFailure failure) {
			failure.observed();
		}
	}

	/**
	 * Throws an exception if the calling thread runs a task of the queue in which this
	 * task waits, so that this task cannot start while the thread waits for it. A claimed
	 * task is about to end: another thread withdraws it.
	 */
	private void requireOtherTurn() {
		SequentialQueue waitsIn = this.queue;
		if (waitsIn != null && !this.claimed && !isDone() && waitsIn.isRunByCaller()) {
			throw new IllegalStateException("A task of queue '" + waitsIn.id
					+ "' would wait forever for a later task of the same queue, which starts after it has ended;"
					+ " use thenAccept() instead of join() or get(), or submit to another queue");
		}
	}

	/**
	 * Waits for the end of the task and returns its result.
	 * @return the result
	 * @throws IllegalStateException if called by a task of the same queue before this
	 * task has started, as the wait would never end
	 */
	@Override
	public T get() throws InterruptedException, ExecutionException {
		requireOtherTurn();
		try {
			return super.get();
		}
		finally {
			observed();
		}
	}

	@Override
	public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
		try {
			return super.get(timeout, unit);
		}
		finally {
			observed();
		}
	}

	/**
	 * Waits for the end of the task and returns its result.
	 * @return the result
	 * @throws IllegalStateException if called by a task of the same queue before this
	 * task has started, as the wait would never end
	 */
	@Override
	public T join() {
		requireOtherTurn();
		try {
			return super.join();
		}
		finally {
			observed();
		}
	}

	@Override
	public T getNow(T valueIfAbsent) {
		try {
			return super.getNow(valueIfAbsent);
		}
		finally {
			observed();
		}
	}

	@Override
	public boolean isCompletedExceptionally() {
		boolean failed = super.isCompletedExceptionally();
		observed();
		return failed;
	}

	/** Fails the future of a task that got no place or no worker. */
	private void reject(Throwable reason) {
		this.body = null;
		this.rejected = true;
		super.completeExceptionally(reason);
	}

	/** Throws the exception that rejected this task, if it was rejected. */
	final void throwIfRejected() {
		if (isDone() && this.rejected) {
			try {
				join();
			}
			catch (CompletionException ex) {
				throw (ex.getCause() instanceof RejectedExecutionException rejection) ? rejection
						: new RejectedExecutionException(ex.getCause());
			}
		}
	}

	private boolean withdraw(TaskOutcome outcome) {
		if (this.claimed || !Objects.requireNonNull(this.queue).owner.claim(this)) {
			return false;
		}
		this.body = null;
		this.queue.withdrawn(this, outcome);
		return true;
	}

	/**
	 * Cancels the task if it has not started, and removes it from its queue at once.
	 * @param mayInterruptIfRunning has no effect: a running task is never interrupted
	 * @return {@code true} if the task is cancelled now or was cancelled before
	 */
	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		return withdraw(TaskOutcome.CANCELLED) ? super.cancel(mayInterruptIfRunning) : isCancelled();
	}

	/**
	 * Ends the task with the value if it has not started, as {@link #cancel} would.
	 * @param value the result
	 * @return whether this call ended the task
	 */
	@Override
	public boolean complete(T value) {
		return withdraw(TaskOutcome.CANCELLED) && super.complete(value);
	}

	/**
	 * Ends the task with the exception if it has not started, as {@link #cancel} would;
	 * with a {@link TaskDroppedException} it counts as dropped.
	 * @param ex the exception
	 * @return whether this call ended the task
	 */
	@Override
	public boolean completeExceptionally(Throwable ex) {
		Objects.requireNonNull(ex, "'ex' must not be null");
		TaskOutcome outcome = (ex instanceof TaskDroppedException) ? TaskOutcome.DROPPED : TaskOutcome.CANCELLED;
		return withdraw(outcome) && super.completeExceptionally(ex);
	}

	/**
	 * Calls the supplier on the executor and ends the task with its result if it has not
	 * started by then.
	 * @param supplier the source of the result
	 * @param executor calls the supplier
	 * @return this task
	 */
	@Override
	public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
		Objects.requireNonNull(supplier, "'supplier' must not be null");
		executor.execute(() -> {
			if (!isDone()) {
				try {
					complete(supplier.get());
				}
				catch (Throwable ex) {
					completeExceptionally(ex);
				}
			}
		});
		return this;
	}

	/**
	 * As {@link #completeAsync(Supplier, Executor)} on the default executor.
	 * @param supplier the source of the result
	 * @return this task
	 */
	@Override
	public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier) {
		return completeAsync(supplier, defaultExecutor());
	}

	/**
	 * Not supported: how a task ended cannot be changed.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	public void obtrudeValue(T value) {
		throw new UnsupportedOperationException("How a task ended cannot be changed");
	}

	/**
	 * Not supported: how a task ended cannot be changed.
	 * @throws UnsupportedOperationException always
	 */
	@Override
	public void obtrudeException(Throwable ex) {
		throw new UnsupportedOperationException("How a task ended cannot be changed");
	}

	/**
	 * Returns a plain future, so that dependents do not belong to the queue.
	 */
	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		observed();
		return new CompletableFuture<>();
	}

}
