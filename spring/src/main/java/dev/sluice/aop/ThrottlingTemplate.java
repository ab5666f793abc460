package dev.sluice.aop;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.CallRetries;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.aop.internal.call.PermitGate;
import dev.sluice.aop.internal.call.StagedCall;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Template that applies limits in code as the annotations do. It makes a call for which
 * it acquires permits of all limits or of none. The permits that the call holds are
 * released on every path. <pre class="code">
 * AcquireRequest limit = AcquireRequest.of("commands", tenant).maxWait(Duration.ofSeconds(5));
 * Receipt receipt = template.call(() -&gt; bank.withdraw(50), limit);
 * CompletableFuture&lt;Receipt&gt; later = template.callAsync(() -&gt; bank.withdrawLater(50), limit);
 * Receipt either = template.call(() -&gt; bank.withdraw(50), (rejection) -&gt; Receipt.NONE, limit);
 * </pre>
 * <p>
 * A request without a {@link AcquireRequest#maxWait(java.time.Duration) time to wait} is
 * decided at once. If these limits reject the call, a fallback is called instead of
 * throwing. An exception of the call itself is rethrown. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ThrottlingTemplate {

	private static final String TRANSACTIONS = "org.springframework.transaction.support.TransactionSynchronizationManager";

	private final PermitGate permits;

	private final boolean untilCompletion;

	/**
	 * Creates a template.
	 * @param manager the limits
	 * @param blockingWaits the bound for threads that block in line
	 */
	public ThrottlingTemplate(ThrottlingManager manager, BlockingWaits blockingWaits) {
		this(manager, blockingWaits, LineObserver.NONE, PermitGate.NO_CONTEXT);
	}

	/**
	 * Creates a template whose calls keep the context of their callers.
	 * @param manager the limits
	 * @param blockingWaits the bound for threads that block in line
	 * @param observer observes the line
	 * @param context propagates the context of a caller's thread to the thread that makes
	 * the call after a wait
	 */
	public ThrottlingTemplate(ThrottlingManager manager, BlockingWaits blockingWaits, LineObserver observer,
			TaskDecorator context) {
		this.permits = new PermitGate(Objects.requireNonNull(manager, "'manager' must not be null"),
				Objects.requireNonNull(blockingWaits, "'blockingWaits' must not be null"),
				Objects.requireNonNull(observer, "'observer' must not be null"),
				new CallRetries(NanoClock.system(), Runnable::run),
				Objects.requireNonNull(context, "'context' must not be null"));
		this.untilCompletion = false;
	}

	private ThrottlingTemplate(PermitGate permits, boolean untilCompletion) {
		this.permits = permits;
		this.untilCompletion = untilCompletion;
	}

	/**
	 * Returns a template with the same limits that joins the transaction of the caller: a
	 * call that ends on a thread with an active transaction holds its permits until that
	 * has completed, by a commit or by a rollback. The next holder of a mutex therefore
	 * reads all that was written under it. Without a transaction, permits are released as
	 * usual.
	 * @return the template
	 * @throws IllegalStateException if spring-tx is not on the class path
	 */
	public ThrottlingTemplate untilTransactionCompletion() {
		if (!ClassUtils.isPresent(TRANSACTIONS, getClass().getClassLoader())) {
			throw new IllegalStateException("Permits are to be held until a transaction has completed, and spring-tx is"
					+ " not on the class path: add it");
		}
		return new ThrottlingTemplate(this.permits, true);
	}

	/**
	 * Makes the call on the current thread, which blocks, interruptibly, while the call
	 * is in line. A call that returns a stage holds its permits until the stage has
	 * ended.
	 * @param <T> the type of the result
	 * @param <X> the exception that the call may throw
	 * @param call what to call
	 * @param requests one or several
	 * @return its result
	 * @throws X if the call throws it
	 * @throws ThrottledException if the limits reject the call, or if too many threads
	 * are blocked in line
	 * @throws java.util.concurrent.CancellationException if the thread is interrupted in
	 * line; it stays interrupted
	 * @throws dev.sluice.throttle.UnknownThrottleException if a limit is not defined
	 * @throws IllegalArgumentException if there is no request or one is out of range
	 */
	public <T extends @Nullable Object, X extends Exception> T call(Call<T, X> call, AcquireRequest... requests)
			throws X {
		return run(call, (rejection) -> {
			throw rejection;
		}, requests);
	}

	/**
	 * Makes the call on the current thread, as {@link #call(Call, AcquireRequest...)}
	 * does, or calls the fallback if the limits reject the call.
	 * @param <T> the type of the result
	 * @param <X> the exception that the call may throw
	 * @param call what to call
	 * @param fallback returns the result instead, and is not limited
	 * @param requests one or several
	 * @return the result of the call or of the fallback
	 * @throws X if the call throws it
	 */
	public <T extends @Nullable Object, X extends Exception> T call(Call<T, X> call,
			Function<ThrottledException, ? extends T> fallback, AcquireRequest... requests) throws X {
		Objects.requireNonNull(fallback, "'fallback' must not be null");
		return run(call, fallback::apply, requests);
	}

	/**
	 * Makes the call immediately, or when its turn comes on the completion executor of
	 * the limits, in the context of the caller; never blocks. The permits are held until
	 * the stage has ended.
	 * @param <T> the type of the result
	 * @param call what to call
	 * @param requests one or several
	 * @return a future for the result. Fails with a {@link ThrottledException} if the
	 * limits reject the call, and with any exception that the call throws. Cancelling it
	 * leaves the line, or cancels the stage of the call.
	 * @throws dev.sluice.throttle.UnknownThrottleException if a limit is not defined
	 * @throws IllegalArgumentException if there is no request or one is out of range
	 */
	public <T extends @Nullable Object> CompletableFuture<T> callAsync(Callable<? extends CompletionStage<T>> call,
			AcquireRequest... requests) {
		return start(call, (rejection) -> {
			throw rejection;
		}, requests);
	}

	/**
	 * Makes the call immediately, or when its turn comes, as
	 * {@link #callAsync(Callable, AcquireRequest...)} does, or calls the fallback if the
	 * limits reject the call.
	 * @param <T> the type of the result
	 * @param call what to call
	 * @param fallback returns the result instead, and is not limited
	 * @param requests one or several
	 * @return a future for the result of the call or of the fallback
	 */
	public <T extends @Nullable Object> CompletableFuture<T> callAsync(Callable<? extends CompletionStage<T>> call,
			Function<ThrottledException, ? extends CompletionStage<T>> fallback, AcquireRequest... requests) {
		Objects.requireNonNull(fallback, "'fallback' must not be null");
		return start(call, fallback::apply, requests);
	}

	/** The result is null only if T permits it. */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private <T extends @Nullable Object, X extends Exception> T run(Call<T, X> call, GatedCall.Rejection rejection,
			AcquireRequest[] requests) throws X {
		try {
			return (T) gated(Objects.requireNonNull(call, "'call' must not be null")::call, rejection, requests).run();
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw (X) ex;
		}
	}

	@SuppressWarnings("unchecked")
	private <T extends @Nullable Object> CompletableFuture<T> start(Callable<? extends CompletionStage<T>> call,
			GatedCall.Rejection rejection, AcquireRequest[] requests) {
		return (CompletableFuture<T>) new StagedCall(
				gated(Objects.requireNonNull(call, "'call' must not be null")::call, rejection, requests))
			.start();
	}

	private TemplateCall gated(CallBody body, GatedCall.Rejection rejection, AcquireRequest[] requests) {
		return new TemplateCall(this.permits, Objects.requireNonNull(requests, "'requests' must not be null"), body,
				rejection, this.untilCompletion);
	}

	/**
	 * Call that a template makes.
	 *
	 * @param <T> the type of the result
	 * @param <X> the exception that it may throw
	 * @since 0.1.0
	 */
	@FunctionalInterface
	public interface Call<T extends @Nullable Object, X extends Exception> {

		/**
		 * Runs the limited code.
		 * @return the result
		 * @throws X if it fails
		 */
		T call() throws X;

	}

}
