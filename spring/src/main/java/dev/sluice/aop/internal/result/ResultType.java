package dev.sluice.aop.internal.result;

import dev.sluice.aop.internal.call.CallBody;
import dev.sluice.aop.internal.call.GatedCall;
import dev.sluice.throttle.ThrottledException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Kind of result of a method, which determines how its calls are admitted and when they
 * end.
 */
public interface ResultType {

	/** Runs a call behind the gate. */
	@Nullable Object run(GatedCall call) throws Throwable;

	/**
	 * Runs a call behind the gate on a thread of the application's executor, which waits
	 * for the end of the result anyway: all parts of the call run on that thread.
	 */
	default @Nullable Object runOnExecutor(GatedCall call) throws Throwable {
		return run(call);
	}

	/** Returns the result of a call that the limits have rejected, or throws. */
	default @Nullable Object reject(GatedCall call, ThrottledException rejection) throws Throwable {
		return call.reject(rejection);
	}

	/** Returns the body that runs the method itself each time {@link #run} is called. */
	default CallBody body(MethodInvocation invocation) {
		return invocation::proceed;
	}

	/**
	 * Returns whether a call has ended when the method has returned, unless the method
	 * returned a stage that it does not declare.
	 */
	default boolean endsOnReturn() {
		return false;
	}

	/** Returns whether the caller continues while a call is not admitted yet. */
	default boolean comesLater() {
		return false;
	}

	/**
	 * Returns whether a call consults the limits once. If it does so at each
	 * subscription, its permits cannot be acquired in advance.
	 */
	default boolean entersOnce() {
		return true;
	}

	/** Returns the result of a call that is skipped. */
	@Nullable Object empty();

}
