package dev.sluice.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs a test again that has failed, up to four times. The contract of stores goes by
 * real time here, and a machine that is busy otherwise may be late by more than is
 * tolerated; what is wrong fails every time.
 */
final class OnceMore implements InvocationInterceptor {

	private static final int ATTEMPTS = 5;

	@Override
	public void interceptTestMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		attempt(invocation, method);
	}

	@Override
	public void interceptTestTemplateMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
			ExtensionContext context) throws Throwable {
		attempt(invocation, method);
	}

	private static void attempt(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method)
			throws Throwable {
		try {
			invocation.proceed();
		}
		catch (AssertionError ex) {
			again(method);
		}
	}

	private static void again(ReflectiveInvocationContext<Method> method) throws Throwable {
		Method test = method.getExecutable();
		test.setAccessible(true);
		for (int attempt = 2;; attempt++) {
			try {
				test.invoke(method.getTarget().orElseThrow(), method.getArguments().toArray());
				return;
			}
			catch (InvocationTargetException ex) {
				if (attempt == ATTEMPTS || !(ex.getCause() instanceof AssertionError)) {
					throw ex.getCause();
				}
			}
		}
	}

}
