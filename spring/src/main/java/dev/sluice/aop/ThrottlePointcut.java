package dev.sluice.aop;

import java.lang.reflect.Method;
import java.util.function.Predicate;

import dev.sluice.annotation.AnnotatedTypes;
import dev.sluice.aop.internal.method.LimitAnnotations;
import dev.sluice.aop.spi.DispatchedMethods;

import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Pointcut of limited methods, except methods that a dispatcher guards. */
final class ThrottlePointcut extends StaticMethodMatcherPointcut {

	private final DispatchedMethods dispatched;

	private final Predicate<Method> selection;

	ThrottlePointcut(DispatchedMethods dispatched, Predicate<Method> selection) {
		this.dispatched = dispatched;
		this.selection = selection;
		setClassFilter(AnnotatedTypes::contain);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		Method specific = AopUtils.getMostSpecificMethod(method, targetClass);
		return LimitAnnotations.present(specific) && this.selection.test(specific)
				&& !this.dispatched.contains(specific, targetClass);
	}

}
