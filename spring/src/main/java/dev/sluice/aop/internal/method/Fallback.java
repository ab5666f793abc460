package dev.sluice.aop.internal.method;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.sluice.throttle.ThrottledException;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Method that is called in place of one whose call was rejected.
 *
 * @param method the method, which takes the same arguments and perhaps the exception
 * @param bean gives the bean to call it on; {@code null} for the limited method's own
 */
record Fallback(Method method, @Nullable Supplier<Object> bean) {

	Fallback {
		ReflectionUtils.makeAccessible(method);
	}

	@Nullable Object call(@Nullable Object target, @Nullable Object[] arguments, ThrottledException rejection) throws Throwable {
		@Nullable Object[] all = arguments;
		if (this.method.getParameterCount() > arguments.length) {
			all = Arrays.copyOf(arguments, arguments.length + 1);
			all[arguments.length] = rejection;
		}
		try {
			if (this.bean == null) {
				return this.method.invoke(target, all);
			}
			Object instance = this.bean.get();
			return AopUtils.selectInvocableMethod(this.method, instance.getClass()).invoke(instance, all);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
