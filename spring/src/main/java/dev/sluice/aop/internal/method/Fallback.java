package dev.sluice.aop.internal.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;

/**
 * Method to call in place of one whose call was rejected.
 *
 * @param method the method, which has the same parameters and optionally the exception
 * @param bean supplies the bean to call it on; {@code null} for the bean of the limited
 * method
 */
record Fallback(Method method, @Nullable Supplier<Object> bean) {

	@Nullable Object call(@Nullable Object target, @Nullable Object[] arguments, ThrottledException rejection) throws Throwable {
		@Nullable Object[] all = arguments;
		if (this.method.getParameterCount() > arguments.length) {
			all = Arrays.copyOf(arguments, arguments.length + 1);
			all[arguments.length] = rejection;
		}
		if (this.bean == null) {
			return AopUtils.invokeJoinpointUsingReflection(target, this.method, all);
		}
		Object instance = this.bean.get();
		Method selected = AopUtils.selectInvocableMethod(this.method, instance.getClass());
		return AopUtils.invokeJoinpointUsingReflection(instance, selected, all);
	}

}
