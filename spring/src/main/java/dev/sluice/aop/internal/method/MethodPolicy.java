package dev.sluice.aop.internal.method;

import java.time.Duration;

import dev.sluice.annotation.Action;
import dev.sluice.aop.internal.call.CallRetryPolicy;
import dev.sluice.aop.internal.result.ResultType;
import org.jspecify.annotations.Nullable;

/**
 * Policy for the calls of one method that find no permit.
 *
 * @param action the action, not {@link Action#DEFAULT}
 * @param maxWait how long a call may wait, for {@link Action#WAIT}
 * @param retry how a call is tried again, for {@link Action#RETRY}; {@code null}
 * otherwise
 * @param fallback the fallback to call instead of throwing, if any
 * @param result how the method gives its result
 */
record MethodPolicy(Action action, Duration maxWait, @Nullable CallRetryPolicy retry, @Nullable Fallback fallback,
		ResultType result) {

}
