package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.sluice.aop.internal.result.SuspendFunctions;
import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Method to call in place of one whose call was rejected.
 *
 * @param method the method, which has the same parameters and optionally the exception
 * @param bean supplies the bean to call it on; {@code null} for the bean of the limited
 * method
 * @param values the number of arguments of the limited method; a suspend function of
 * Kotlin that a proxy calls has its continuation behind them
 */
record Fallback(Method method, @Nullable Supplier<Object> bean, int values) {

	@Nullable Object call(@Nullable Object target, @Nullable Object[] arguments, ThrottledException rejection) throws Throwable {
		@Nullable Object[] all = arguments(arguments, rejection);
		if (this.bean == null) {
			return invoke(target, this.method, all);
		}
		Object instance = this.bean.get();
		Method selected = AopUtils.selectInvocableMethod(this.method, instance.getClass());
		return invoke(instance, selected, all);
	}

	/** A dispatcher that calls a suspend function has no continuation. */
	private static @Nullable Object invoke(@Nullable Object target, Method method, @Nullable Object[] arguments)
			throws Throwable {
		boolean dispatched = SuspendFunctions.is(method) && arguments[arguments.length - 1] == null;
		return (dispatched && target != null) ? SuspendFunctions.start(method, target, arguments)
				: AopUtils.invokeJoinpointUsingReflection(target, method, arguments);
	}

	private @Nullable Object[] arguments(@Nullable Object[] given, ThrottledException rejection) {
		int taken = SuspendFunctions.parameterCount(this.method);
		@Nullable Object[] all = Arrays.copyOf(given, this.method.getParameterCount());
		if (taken > this.values) {
			all[this.values] = rejection;
		}
		if (taken < all.length && given.length > this.values) {
			all[taken] = given[this.values];
		}
		return all;
	}

}
