package dev.sluice.aop.internal.call;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.internal.ExtensionPoint;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottlingManager;
import org.jspecify.annotations.Nullable;

/**
 * The limits of calls, with the collaborators that support waiting.
 *
 * @param manager the limits
 * @param blockingWaits the bound for threads that block in line
 * @param observer observes the line
 * @param retries the calls that wait for a retry
 * @param context propagates the context of the caller's thread to another thread
 */
public record PermitGate(ThrottlingManager manager, BlockingWaits blockingWaits, LineObserver observer,
		CallRetries retries, TaskDecorator context) {

	private static final ExtensionPoint OBSERVERS = new ExtensionPoint("LineObserver",
			"the call waits and is made as without it");

	/** Lets nothing follow. */
	public static final TaskDecorator NO_CONTEXT = new TaskDecorator() {

		@Override
		public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
			return task;
		}

	};

	/**
	 * Acquires permits, immediately or when their turn comes; cancelling leaves the line.
	 */
	CompletableFuture<Permit> acquire(AcquireRequest[] requests) {
		return this.manager.acquire(requests);
	}

	/** Acquires permits, immediately or by a retry; cancelling ends the retries. */
	CompletableFuture<Permit> acquire(AcquireRequest[] requests, CallRetryPolicy retry) {
		return this.retries.acquire(this.manager, requests, retry);
	}

	/**
	 * Observes the request if it waits; cancelling the returned future leaves the line.
	 */
	CompletableFuture<Permit> observed(AcquireRequest[] requests, CompletableFuture<Permit> entering) {
		if (entering.isDone()) {
			return entering;
		}
		Consumer<@Nullable Throwable> left = null;
		try {
			left = this.observer.waiting(Arrays.stream(requests).map(AcquireRequest::resource).toList());
		}
		catch (Throwable ex) {
			OBSERVERS.failed(this.observer, ex);
		}
		return (left != null) ? new Observed(entering, left) : entering;
	}

	/**
	 * Calls the observer first. The dependents of a future are not called in a suitable
	 * order.
	 */
	private static final class Observed extends CompletableFuture<Permit> {

		private final CompletableFuture<Permit> entering;

		Observed(CompletableFuture<Permit> entering, Consumer<@Nullable Throwable> left) {
			this.entering = entering;
			entering.whenComplete((permit, failure) -> {
				try {
					OBSERVERS.run(left, () -> left.accept(failure));
				}
				finally {
					if (failure != null) {
						completeExceptionally(failure);
					}
					else if (!complete(permit)) {
						permit.close();
					}
				}
			});
		}

		/** Cancels this future through the other one. */
		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			return this.entering.cancel(mayInterruptIfRunning) || isCancelled();
		}

	}

}
