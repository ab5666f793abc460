package dev.sluice.aop.internal.call;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * A call whose result comes later. That result ends after everything else: its dependents
 * find the permits released. Cancelling it leaves the line, or cancels what the method
 * returned.
 */
public final class StagedCall {

	private final GatedCall call;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	public StagedCall(GatedCall call) {
		this.call = call;
	}

	/**
	 * Starts the call on the current thread, which blocks if the call has to wait. What
	 * the method throws is thrown; the result fails with a rejection.
	 */
	public @Nullable Object startNow() throws Throwable {
		Object value = this.call.run((rejection) -> {
			rejected(rejection);
			return this.result;
		}, this::follow);
		return (value != null) ? this.result : null;
	}

	/**
	 * Starts the call, now or when its turn comes, then in the context of the caller;
	 * never blocks. The result fails with whatever goes wrong.
	 */
	public CompletableFuture<@Nullable Object> start() {
		CompletableFuture<Permit> entering = this.call.enterLater();
		cancelWithResult(entering);
		if (entering.isDone()) {
			entering.whenComplete(this::answered);
			return this.result;
		}
		Callable<?> rest = inContext(entering);
		entering.whenComplete((permit, rejection) -> {
			try {
				rest.call();
			}
			catch (Throwable ex) {
				this.result.completeExceptionally(ex);
			}
		});
		return this.result;
	}

	/** Returns what follows the wait, which leaves the line if there is none. */
	private Callable<?> inContext(CompletableFuture<Permit> entering) {
		try {
			return this.call.inContext(() -> entering.whenComplete(this::answered));
		}
		catch (RuntimeException ex) {
			GatedCall.leave(entering);
			throw ex;
		}
	}

	private void answered(@Nullable Permit permit, @Nullable Throwable failure) {
		if (permit != null) {
			entered(permit);
		}
		else if (failure != null) {
			rejected(failure);
		}
	}

	private void entered(Permit permit) {
		if (this.result.isDone()) {
			this.call.end(permit, true);
			return;
		}
		try {
			this.call.run(permit, this::follow);
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

	private void rejected(Throwable failure) {
		if (!(failure instanceof ThrottledException rejection)) {
			this.result.completeExceptionally(failure);
			return;
		}
		try {
			follow(this.call.reject(rejection), (failed) -> {
			});
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

	private void follow(@Nullable Object value, Consumer<Boolean> end) {
		if (value instanceof CompletionStage<?> stage) {
			cancelWithResult(stage);
			stage.whenComplete((content, failure) -> {
				end.accept(failure != null);
				complete(content, failure);
			});
		}
		else {
			end.accept(false);
			this.result.complete(value);
		}
	}

	private void complete(@Nullable Object value, @Nullable Throwable failure) {
		if (failure == null) {
			this.result.complete(value);
		}
		else {
			boolean wraps = failure instanceof CompletionException && failure.getCause() != null;
			this.result.completeExceptionally(wraps ? failure.getCause() : failure);
		}
	}

	private void cancelWithResult(CompletionStage<?> stage) {
		this.result.whenComplete((value, failure) -> {
			if (this.result.isCancelled()) {
				stage.toCompletableFuture().cancel(true);
			}
		});
	}

}
