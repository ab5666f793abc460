package dev.sluice.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Calls a listener, one callback at a time, in the order in which they were added. */
final class CallbackQueue {

	/*
	 * Invariant: at most one callback runs. The thread that finds "running" false under
	 * the lock sets it, and polls alone until the queue is empty or a stage is awaited;
	 * the end of that stage continues to poll. "running" becomes false only if the queue
	 * is empty under the same lock that guards an addition, so no callback is lost.
	 * Callbacks are called, and tasks executed, without the lock. Attacked by
	 * CallbackQueueTests.
	 */

	private final Executor executor;

	private final Consumer<Throwable> errors;

	private final Deque<Callback> waiting = new ArrayDeque<>();

	private int messages;

	private boolean running;

	CallbackQueue(Executor executor, Consumer<Throwable> errors) {
		this.executor = executor;
		this.errors = errors;
	}

	/** Adds a callback, which {@link #drain()} calls. */
	synchronized void add(Callback callback) {
		this.waiting.add(callback);
		if (callback.message()) {
			this.messages++;
		}
	}

	/** Returns the number of waiting messages. */
	synchronized int messages() {
		return this.messages;
	}

	/** Drops the waiting messages. */
	synchronized void dropMessages() {
		this.waiting.removeIf(Callback::message);
		this.messages = 0;
	}

	/**
	 * Starts to call the waiting callbacks, unless that is under way.
	 * @throws RejectedExecutionException if the executor rejects the task
	 */
	void drain() {
		synchronized (this) {
			if (this.running || this.waiting.isEmpty()) {
				return;
			}
			this.running = true;
		}
		proceed();
	}

	private void proceed() {
		try {
			this.executor.execute(this::run);
		}
		catch (RejectedExecutionException ex) {
			synchronized (this) {
				this.running = false;
			}
			throw ex;
		}
	}

	private void run() {
		for (Callback next = poll(); next != null; next = poll()) {
			Callback callback = next;
			callback.before().run();
			CompletableFuture<?> handled = call(callback);
			if (!handled.isDone()) {
				handled.whenComplete((nothing, failure) -> {
					after(callback, failure);
					try {
						proceed();
					}
					catch (RejectedExecutionException ex) {
						this.errors.accept(ex);
					}
				});
				return;
			}
			handled.whenComplete((nothing, failure) -> after(callback, failure));
		}
	}

	private static CompletableFuture<?> call(Callback callback) {
		try {
			CompletionStage<?> stage = callback.call().run();
			return (stage != null) ? stage.toCompletableFuture() : CompletableFuture.completedFuture(null);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void after(Callback callback, @Nullable Throwable failure) {
		if (failure != null) {
			this.errors.accept(failure);
		}
		callback.after().run();
	}

	private synchronized @Nullable Callback poll() {
		Callback next = this.waiting.poll();
		if (next == null) {
			this.running = false;
		}
		else if (next.message()) {
			this.messages--;
		}
		return next;
	}

	/**
	 * A call of the listener.
	 *
	 * @param message whether it is counted, and may be dropped
	 * @param before the action before the call
	 * @param call the call
	 * @param after the action after the call, whether or not it has failed
	 */
	record Callback(boolean message, Runnable before, Call call, Runnable after) {

		private static final Runnable NOTHING = () -> {
		};

		static Callback of(Runnable event) {
			return of(event, NOTHING);
		}

		static Callback of(Runnable event, Runnable after) {
			return new Callback(false, NOTHING, () -> {
				event.run();
				return null;
			}, after);
		}

	}

	/** A call that may return a stage. */
	@FunctionalInterface
	interface Call {

		@Nullable CompletionStage<?> run();

	}

}
