package dev.sluice.aop.internal.call;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.internal.Failures;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * A call whose result comes later. That result ends after everything else: its dependents
 * find the permits released. Completing it from outside leaves the line; cancelling it
 * also cancels the stage that the method returned.
 */
public final class StagedCall {

	private final GatedCall call;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	public StagedCall(GatedCall call) {
		this.call = call;
	}

	/**
	 * Starts the call on the current thread, which blocks if the call has to wait. An
	 * exception of the method is thrown; a rejection fails the result.
	 */
	public @Nullable Object startNow() throws Throwable {
		Object value = this.call.run((rejection) -> {
			answerRejected(rejection);
			return this.result;
		}, this::follow);
		return (value != null) ? this.result : null;
	}

	/**
	 * Starts the call, now or when its turn comes, then in the context of the caller;
	 * never blocks. The result fails with any failure.
	 */
	public CompletableFuture<@Nullable Object> start() {
		CallRun run = this.call.begin();
		try {
			CompletableFuture<Permit> entering = this.call.enterLater(run);
			if (entering.isDone() && !entering.isCompletedExceptionally()) {
				answered(run, entering.join(), null);
			}
			else if (entering.isDone()) {
				entering.whenComplete((permit, failure) -> answered(run, permit, failure));
			}
			else {
				startLater(run, entering);
			}
			return this.result;
		}
		catch (Throwable ex) {
			run.end(ex);
			throw ex;
		}
	}

	private void startLater(CallRun run, CompletableFuture<Permit> entering) {
		PartInContext<?> rest = this.call
			.inContext(() -> entering.whenComplete((permit, failure) -> answered(run, permit, failure)));
		this.result.whenComplete((value, failure) -> entering.cancel(false));
		entering.whenComplete((permit, rejection) -> {
			try {
				rest.run();
			}
			catch (Throwable ex) {
				fail(run, ex);
			}
		});
	}

	private void answered(CallRun run, @Nullable Permit permit, @Nullable Throwable failure) {
		try {
			if (permit == null) {
				rejected(run, Objects.requireNonNull(failure));
			}
			else if (!run.granted(permit) || this.result.isDone()) {
				run.end(new CancellationException("The result of the call was there before it began"));
			}
			else {
				this.call.make(run, this::follow);
			}
		}
		catch (Throwable ex) {
			fail(run, ex);
		}
	}

	private void fail(CallRun run, Throwable failure) {
		try {
			run.end(failure);
		}
		finally {
			this.result.completeExceptionally(failure);
		}
	}

	private void rejected(CallRun run, Throwable failure) {
		Throwable cause = Failures.cause(failure);
		if (!(cause instanceof ThrottledException rejection)) {
			fail(run, cause);
			return;
		}
		run.end(rejection);
		answerRejected(rejection);
	}

	/** Completes the result of a rejected call with its substitute, or fails it. */
	private void answerRejected(ThrottledException rejection) {
		try {
			follow(this.call.reject(rejection), null);
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
		}
	}

	private void follow(@Nullable Object value, @Nullable CallRun run) {
		if (value instanceof CompletionStage<?> stage) {
			this.result.whenComplete((content, failure) -> {
				if (this.result.isCancelled()) {
					stage.toCompletableFuture().cancel(true);
				}
			});
			stage.whenComplete((content, failure) -> end(run, content, failure));
		}
		else {
			end(run, value, null);
		}
	}

	/** Ends the run, if it has not ended, and the result after it. */
	private void end(@Nullable CallRun run, @Nullable Object value, @Nullable Throwable failure) {
		try {
			if (run != null) {
				run.end(failure);
			}
		}
		finally {
			if (failure == null) {
				this.result.complete(value);
			}
			else {
				this.result.completeExceptionally(Failures.cause(failure));
			}
		}
	}

}
