package dev.sluice.aop;

import org.jspecify.annotations.Nullable;

/**
 * One limit that the annotations of a method name.
 *
 * @param resource name of the limit
 * @param keyExpression gives its partition; {@code null} if it has none
 * @param permitsExpression gives the permits of a call; {@code null} for one
 */
record MethodLimit(String resource, @Nullable MethodExpression keyExpression,
		@Nullable MethodExpression permitsExpression) {

	String key(CallContext context) {
		return (this.keyExpression != null) ? String.valueOf(this.keyExpression.evaluate(context)) : "";
	}

	int permits(CallContext context) {
		return (this.permitsExpression != null) ? this.permitsExpression.evaluatePermits(context) : 1;
	}

}
