package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.aop.internal.call.PartInContext;
import dev.sluice.execution.TaskDecorator;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;

/**
 * A call of an {@code @Async} method that waits in line first, and takes a thread of the
 * executor when it is admitted or rejected. The executor's thread then makes the call, or
 * provides the substitute for its result.
 */
final class AsyncCall {

	/*
	 * The call goes from the thread of its caller, by way of the completion executor of
	 * the limits if it waits, to a thread of the application's executor, which may reject
	 * it, or never run it since it was cancelled. So its admission is claimed once. If
	 * the executor's thread claims it, that thread makes the call and releases the
	 * permits that the call did not use. If no such thread will run, the code that
	 * detects this claims the admission and releases it.
	 *
	 * A cancellation ends the result before it reads "executing", and "executing" is
	 * written before the result is read, so that one of the two cancels the executor's
	 * future. Attacked by AsyncWaitsTests.
	 */

	private static final Log logger = LogFactory.getLog(AsyncCall.class);

	private static final String ATTRIBUTE = AsyncCall.class.getName();

	private final ProxyMethodInvocation invocation;

	private final CompletableFuture<Admission> entering;

	private final Result result = new Result();

	private final AtomicBoolean claimed = new AtomicBoolean();

	private volatile @Nullable Future<?> executing;

	/**
	 * Creates the call.
	 * @param invocation the rest of the proxy's chain, for this call alone
	 * @param entering the pending or completed admission
	 */
	AsyncCall(ProxyMethodInvocation invocation, CompletableFuture<Admission> entering) {
		this.invocation = invocation;
		this.entering = entering;
		invocation.setUserAttribute(ATTRIBUTE, this);
	}

	/** Returns whether the advice of {@code @Async} supports the result of a method. */
	static boolean supports(Method method) {
		Class<?> type = method.getReturnType();
		return isVoid(type) || type == Future.class || type == CompletableFuture.class;
	}

	private static boolean isVoid(Class<?> type) {
		return type == void.class || type.getName().equals("kotlin.Unit");
	}

	/**
	 * Passes the call to the executor, immediately or when its turn comes, in the context
	 * of the caller; never blocks.
	 * @return a future for the result, or {@code null} if the method has no result
	 * @throws Throwable if the executor rejects a call that did not wait
	 */
	@Nullable Object start(TaskDecorator context) throws Throwable {
		if (this.entering.isDone()) {
			submit();
		}
		else {
			this.result.whenComplete((value, failure) -> this.entering.cancel(false));
			PartInContext<?> rest = inContext(context);
			this.entering.whenComplete((admission, cancelled) -> {
				if (admission != null) {
					submitLater(rest);
				}
			});
		}
		return isVoid(this.invocation.getMethod().getReturnType()) ? null : this.result;
	}

	/**
	 * Returns the part that follows the wait, which leaves the line if it cannot be
	 * created.
	 */
	private PartInContext<?> inContext(TaskDecorator context) {
		try {
			return new PartInContext<@Nullable Object>(context, () -> {
				try {
					submit();
				}
				catch (Throwable ex) {
					fail(ex);
				}
				return null;
			});
		}
		catch (Throwable ex) {
			if (!this.entering.cancel(false)) {
				release();
			}
			throw ex;
		}
	}

	private void submitLater(PartInContext<?> rest) {
		try {
			rest.run();
		}
		catch (Throwable ex) {
			release();
			fail(ex);
		}
	}

	private void submit() throws Throwable {
		if (this.result.isDone()) {
			release();
			return;
		}
		try {
			if (this.invocation.proceed() instanceof Future<?> future) {
				follow(future);
			}
		}
		catch (Throwable ex) {
			release();
			throw ex;
		}
		if (this.result.isCancelled()) {
			abandon(this.result.mayInterrupt);
		}
	}

	private void follow(Future<?> future) {
		this.executing = future;
		if (future instanceof CompletableFuture<?> stage) {
			stage.whenComplete((value, failure) -> {
				if (failure != null) {
					this.result.completeExceptionally(failure);
				}
				else {
					this.result.complete(value);
				}
			});
		}
	}

	/** A method without a result has no other way to report the failure. */
	private void fail(Throwable failure) {
		if (isVoid(this.invocation.getMethod().getReturnType())) {
			logger.error("A call of " + ClassUtils.getQualifiedMethodName(this.invocation.getMethod())
					+ " was not made after it had waited", failure);
		}
		this.result.completeExceptionally(failure);
	}

	private void abandon(boolean mayInterrupt) {
		Future<?> future = this.executing;
		if (future != null) {
			future.cancel(mayInterrupt);
		}
		if (this.entering.isDone() && !this.entering.isCancelled()) {
			release();
		}
	}

	private void release() {
		if (this.claimed.compareAndSet(false, true)) {
			this.entering.join().release();
		}
	}

	/** Continues a call on the thread that the executor has assigned. */
	static @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
		return (invocation instanceof ProxyMethodInvocation proxied
				&& proxied.getUserAttribute(ATTRIBUTE) instanceof AsyncCall call) ? call.run() : invocation.proceed();
	}

	private @Nullable Object run() throws Throwable {
		if (this.result.isDone()) {
			release();
		}
		if (!this.claimed.compareAndSet(false, true)) {
			throw new CancellationException("The result of the call was there before it began");
		}
		if (this.invocation.getMethod().getReturnType() != Future.class) {
			return this.entering.join().call(this.invocation::proceed);
		}
		try {
			Object value = this.entering.join().call(this.invocation::proceed);
			this.result.complete((value instanceof Future<?> future) ? future.get() : value);
			return value;
		}
		catch (ExecutionException ex) {
			this.result.completeExceptionally((ex.getCause() != null) ? ex.getCause() : ex);
			throw ex;
		}
		catch (Throwable ex) {
			this.result.completeExceptionally(ex);
			throw ex;
		}
	}

	/** Result of the call, which leaves the line or the executor when it is cancelled. */
	private final class Result extends CompletableFuture<@Nullable Object> {

		private volatile boolean mayInterrupt;

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			this.mayInterrupt = mayInterruptIfRunning;
			if (!super.cancel(mayInterruptIfRunning)) {
				return false;
			}
			abandon(mayInterruptIfRunning);
			return true;
		}

	}

}
