package dev.sluice.aop.internal.call;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

import dev.sluice.internal.HeldResources;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

/**
 * One limited call: its admission, its body, and its result if it is rejected.
 */
public abstract class GatedCall {

	private final PermitGate permits;

	private AcquireRequest[] asked = {};

	protected GatedCall(PermitGate permits) {
		this.permits = permits;
	}

	/** Returns whether the call waits in line if it is not admitted immediately. */
	public abstract boolean waits();

	/**
	 * Returns the policy by which a non-blocking call is retried, or {@code null} if it
	 * is not.
	 */
	protected @Nullable CallRetryPolicy retry() {
		return null;
	}

	/**
	 * Returns whether the call, if it is not admitted immediately, may be admitted later.
	 */
	public final boolean entersLater() {
		return waits() || retry() != null;
	}

	/** Returns the requests of the call; may be empty. */
	protected abstract AcquireRequest[] requests();

	/**
	 * Returns the requests made for the call, whose permits it holds once it is admitted.
	 */
	public final AcquireRequest[] asked() {
		return this.asked;
	}

	/** Assigns to the call the permits of requests that another call made for it. */
	protected final void holds(AcquireRequest[] asked) {
		this.asked = asked;
	}

	/** Throws if the call must be rejected, regardless of the permits available. */
	protected void requireHeld() {
	}

	/** Runs the limited code. */
	protected abstract @Nullable Object callBody() throws Throwable;

	/** Runs the limited code of a call that was admitted. */
	public final @Nullable Object proceed() throws Throwable {
		if (this.asked.length == 0) {
			return callBody();
		}
		HeldByThread outer = HeldByThread.push(this.asked);
		try {
			return callBody();
		}
		finally {
			HeldByThread.pop(outer);
		}
	}

	/** Adds the releases at the end of each run of the call, with any outcome. */
	protected void addReleases(HeldResources resources) {
	}

	/** Releases the permits of a run that was admitted. */
	protected abstract void release(Permit permit, boolean failed);

	/** Returns the substitute for the result of a rejected call, or throws. */
	public abstract @Nullable Object reject(ThrottledException rejection) throws Throwable;

	/** Makes the call on the current thread, which may block until it is admitted. */
	public final @Nullable Object run() throws Throwable {
		return run(null, GatedCall::followStage);
	}

	/**
	 * Makes the call on the current thread, which may block until it is admitted.
	 * @param rejection supplies the result of a call that the limits reject; if
	 * {@code null}, {@link #reject} does
	 * @param follower follows the result of an admitted call
	 */
	public final @Nullable Object run(@Nullable Rejection rejection, ResultFollower follower) throws Throwable {
		CallRun run = begin();
		try {
			run.granted(await(run));
		}
		catch (ThrottledException ex) {
			run.end(ex);
			return (rejection != null) ? rejection.answer(ex) : reject(ex);
		}
		catch (Throwable ex) {
			run.end(ex);
			throw ex;
		}
		return make(run, follower);
	}

	/**
	 * Makes a call that was admitted. The run ends with the result, or when the call
	 * throws.
	 */
	final @Nullable Object make(CallRun run, ResultFollower follower) throws Throwable {
		try {
			Object result = proceed();
			follower.follow(result, run);
			return result;
		}
		catch (Throwable ex) {
			run.end(ex);
			throw ex;
		}
	}

	/** Follows a result that may be a stage, regardless of the declared type. */
	public static void followStage(@Nullable Object result, CallRun run) {
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, failure) -> run.end(failure));
		}
		else {
			run.end(null);
		}
	}

	/** Begins a run of the call, without permits. */
	public CallRun begin() {
		return new CallRun(this);
	}

	/** Acquires the permits of the call immediately, or throws. */
	protected Permit enter() {
		requireHeld();
		return take(requests());
	}

	/**
	 * Acquires the permits immediately or when the turn comes, or throws; may block until
	 * then.
	 */
	private Permit await(CallRun run) {
		if (!waits()) {
			return enter();
		}
		CompletableFuture<Permit> entering = enterLater(run);
		ThrottledException nested = entering.isDone() ? null
				: HeldByThread.rejection(this.permits.manager(), this.asked);
		if (nested != null) {
			throw nested;
		}
		try {
			boolean waited = entering.isDone() || this.permits.blockingWaits().block(entering::get);
			return (waited || !entering.cancel(false)) ? entering.get() : enterAtOnce();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof ThrottledException rejection) ? rejection
					: new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CancellationException("Interrupted in line for " + this);
		}
	}

	/** Acquires the permits without waiting, because too many threads are blocked. */
	private Permit enterAtOnce() {
		try {
			return enter();
		}
		catch (ThrottledException ex) {
			this.permits.blockingWaits().rejected();
			throw ex;
		}
	}

	/**
	 * Acquires the permits immediately or when the turn comes; never blocks.
	 * @param run holds the place in line
	 */
	public final CompletableFuture<Permit> enterLater(CallRun run) {
		AcquireRequest[] requests = requests();
		try {
			requireHeld();
			CallRetryPolicy retry = waits() ? null : retry();
			if (requests.length != 0 && (waits() || retry != null)) {
				this.asked = requests;
				CompletableFuture<Permit> entering = (retry != null) ? this.permits.acquire(requests, retry)
						: this.permits.acquire(requests);
				run.waitFor(entering);
				return this.permits.observed(requests, entering);
			}
			return CompletableFuture.completedFuture(take(requests));
		}
		catch (ThrottledException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Returns a part of the call that runs later, in the context of the current thread.
	 */
	public final <T extends @Nullable Object> PartInContext<T> inContext(Callable<T> part) {
		return new PartInContext<>(this.permits.context(), part);
	}

	private Permit take(AcquireRequest[] requests) {
		if (requests.length == 0) {
			return Permit.spent();
		}
		this.asked = requests;
		Decision decision = this.permits.manager().tryAcquire(requests);
		if (!decision.admitted()) {
			ThrottledException nested = HeldByThread.rejection(this.permits.manager(), requests);
			throw (nested != null) ? nested : decision.throttled();
		}
		return decision.permit();
	}

	/**
	 * Follower of the result of a call, which ends the run with it.
	 */
	@FunctionalInterface
	public interface ResultFollower {

		void follow(@Nullable Object result, CallRun run);

	}

	/** Supplier of the result of a call that the limits reject. */
	@FunctionalInterface
	public interface Rejection {

		@Nullable Object answer(ThrottledException rejection) throws Throwable;

	}

}
