package dev.sluice.aop.internal.result;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/**
 * Suspend functions of Kotlin, whose last parameter is a continuation. Spring's proxies
 * call them as methods that return a {@code Mono}, or a {@code Flux} for a flow.
 */
public final class SuspendFunctions {

	/** What Spring needs to call a suspend function. */
	private static final boolean CALLABLE = isPresent("kotlin.reflect.full.KCallables")
			&& isPresent("kotlinx.coroutines.reactor.MonoKt");

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private SuspendFunctions() {
	}

	private static boolean isPresent(String name) {
		return ClassUtils.isPresent(name, SuspendFunctions.class.getClassLoader());
	}

	/** Returns whether the last parameter of a method is a continuation. */
	public static boolean is(Method method) {
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION);
	}

	/** Returns whether Spring can call a suspend function and detect its end. */
	static boolean isCallable(Method method) {
		return CALLABLE && KotlinDetector.isSuspendingFunction(method);
	}

	/** Returns the number of parameters of a method without a continuation. */
	public static int parameterCount(Method method) {
		return is(method) ? method.getParameterCount() - 1 : method.getParameterCount();
	}

	/** Returns the type of the result, for a suspend function as its source states it. */
	public static Class<?> resultType(Method method) {
		return isCallable(method) ? new MethodParameter(method, -1).getParameterType() : method.getReturnType();
	}

	/** Calls a suspend function that Spring can call, which returns one value. */
	public static CompletableFuture<?> start(Method method, Object target, @Nullable Object... arguments) {
		return Mono.from(CoroutinesUtils.invokeSuspendingFunction(method, target, arguments)).toFuture();
	}

}
