package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

import dev.sluice.annotation.InvalidThrottledMethodException;
import dev.sluice.aop.internal.result.DeclaredResults;
import dev.sluice.throttle.ThrottlingManager;

import org.springframework.util.StringValueResolver;

/**
 * Converts the annotations of a method to the form that the gate uses, and verifies them.
 */
record ThrottledMethodReader(ThrottlingManager manager, StringValueResolver placeholders, LimitReader limits,
		PolicyReader policies, DeclaredResults results) {

	/**
	 * Defines the limits that the annotations of a method define.
	 * @param method the method, as its class declares it
	 * @throws InvalidThrottledMethodException if the definition is invalid
	 */
	void define(Method method) {
		MethodAttributes attributes = new MethodAttributes(method, this.placeholders);
		AnnotatedLimit.of(method).forEach((annotated) -> this.limits.define(annotated, attributes));
	}

	/**
	 * Reads the annotations of a method.
	 * @param method the method, as its class declares it
	 * @return the limited method, or empty if it has no limits
	 * @throws InvalidThrottledMethodException if they cannot be followed
	 */
	Optional<ThrottledMethod> read(Method method) {
		MethodAttributes attributes = new MethodAttributes(method, this.placeholders);
		List<AnnotatedLimit> annotated = AnnotatedLimit.of(method);
		if (annotated.isEmpty()) {
			return Optional.empty();
		}
		List<MethodLimit> methodLimits = this.limits.read(annotated, attributes);
		boolean held = methodLimits.stream().anyMatch((limit) -> limit.throttle().limit().isHeld());
		MethodPolicy policy = this.policies.read(method, attributes, this.results.of(method, held));
		return Optional.of(new ThrottledMethod(method, this.manager, attributes.parameters(), methodLimits, policy));
	}

}
