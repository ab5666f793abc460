package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.time.Duration;

import dev.sluice.annotation.Action;
import dev.sluice.annotation.WhenThrottled;
import dev.sluice.aop.internal.call.CallRetryPolicy;
import dev.sluice.aop.internal.result.ResultType;
import dev.sluice.aop.internal.result.SuspendFunctions;
import dev.sluice.aop.spi.ThrottlePolicy;
import org.jspecify.annotations.Nullable;

/** Reader of the policy for calls of a method without an available permit. */
record PolicyReader(ThrottlePolicy defaults, FallbackResolver fallbacks) {

	private static final String ANNOTATION = "@WhenThrottled";

	private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

	private static final int MAX_RETRIES = 3;

	MethodPolicy read(Method method, MethodAttributes attributes, ResultType result) {
		WhenThrottled annotation = LimitAnnotations.whenThrottled(method);
		Action action = (annotation != null && annotation.action() != Action.DEFAULT) ? annotation.action()
				: this.defaults.action();
		Duration maxWait = this.defaults.maxWait();
		Fallback fallback = null;
		if (annotation != null) {
			maxWait = maxWait(annotation, action, attributes);
			fallback = this.fallbacks.resolve(method,
					attributes.attribute(ANNOTATION, "fallback", annotation.fallback()), attributes);
		}
		Class<?> type = SuspendFunctions.resultType(method);
		if (action == Action.DROP && fallback == null && type.isPrimitive() && type != void.class) {
			throw attributes.attribute(ANNOTATION, "action", action)
				.invalid("cannot leave out a call that returns " + type,
						"Name a method that gives the value instead, as in fallback = \"later\".");
		}
		CallRetryPolicy retry = (annotation != null) ? retry(annotation, action, attributes) : null;
		return new MethodPolicy(action, maxWait, retry, fallback, result);
	}

	private static @Nullable CallRetryPolicy retry(WhenThrottled annotation, Action action,
			MethodAttributes attributes) {
		AnnotationAttribute delayed = attributes.attribute(ANNOTATION, "delay", annotation.delay());
		AnnotationAttribute bounded = attributes.attribute(ANNOTATION, "maxRetries", annotation.maxRetries());
		Duration delay = attributes.duration(delayed);
		int maxRetries = annotation.maxRetries();
		if (action != Action.RETRY) {
			checkUnset(delayed, delay != null, action);
			checkUnset(bounded, maxRetries != AnnotatedLimit.UNSET, action);
			return null;
		}
		if (delay != null && (delay.isNegative() || delay.isZero())) {
			throw delayed.invalid("is not above 0", "Write a time above 0, as in 1s.");
		}
		if (maxRetries != AnnotatedLimit.UNSET && maxRetries < 1) {
			throw bounded.invalid("is less than 1", "Write 1 or more.");
		}
		return new CallRetryPolicy((delay != null) ? delay : RETRY_DELAY,
				(maxRetries != AnnotatedLimit.UNSET) ? maxRetries : MAX_RETRIES);
	}

	private static void checkUnset(AnnotationAttribute attribute, boolean set, Action action) {
		if (set) {
			throw attribute.invalid("has no effect: the action is " + action,
					"Set action = Action.RETRY, or remove '" + attribute.name() + "'.");
		}
	}

	private Duration maxWait(WhenThrottled annotation, Action action, MethodAttributes attributes) {
		AnnotationAttribute attribute = attributes.attribute(ANNOTATION, "maxWait", annotation.maxWait());
		Duration maxWait = attributes.duration(attribute);
		if (maxWait == null) {
			return this.defaults.maxWait();
		}
		if (action != Action.WAIT) {
			throw attribute.invalid("has no effect: the action is " + action,
					"Set action = Action.WAIT, or remove 'maxWait'.");
		}
		if (maxWait.isNegative()) {
			throw attribute.invalid("is negative", "Write a time of 0 or more.");
		}
		return maxWait;
	}

}
