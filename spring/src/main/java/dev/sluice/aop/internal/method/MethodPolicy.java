package dev.sluice.aop.internal.method;

import java.time.Duration;

import dev.sluice.annotation.Action;
import dev.sluice.aop.internal.call.CallRetryPolicy;
import dev.sluice.aop.internal.result.ResultType;
import org.jspecify.annotations.Nullable;

/**
 * Policy for the calls of one method without an available permit.
 *
 * @param action the action, not {@link Action#DEFAULT}
 * @param maxWait how long a call may wait, for {@link Action#WAIT}
 * @param retry the policy for retries, for {@link Action#RETRY}; {@code null} otherwise
 * @param fallback the fallback to call instead of throwing, if any
 * @param result the kind of the method's result
 */
record MethodPolicy(Action action, Duration maxWait, @Nullable CallRetryPolicy retry, @Nullable Fallback fallback,
		ResultType result) {

}
