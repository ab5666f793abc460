package dev.sluice.aop;

import java.lang.reflect.Method;

import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Matches the limited methods, but for those that a dispatcher guards. */
final class ThrottlePointcut extends StaticMethodMatcherPointcut {

	private final DispatchedMethods dispatched;

	ThrottlePointcut(DispatchedMethods dispatched) {
		this.dispatched = dispatched;
		setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, LimitAnnotations.TYPES));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return LimitAnnotations.present(specific) && !this.dispatched.contains(specific, targetClass);
	}

}
