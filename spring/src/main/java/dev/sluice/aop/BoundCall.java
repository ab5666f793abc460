package dev.sluice.aop;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * The call that a dispatcher has let in on this thread, and that the advisor has not seen
 * yet.
 */
final class BoundCall {

	private static final ThreadLocal<@Nullable Method> METHOD = new ThreadLocal<>();

	private BoundCall() {
	}

	/** Runs the body with the method let in, once. */
	static @Nullable Object run(Method method, Body body) throws Throwable {
		Method outer = METHOD.get();
		METHOD.set(method);
		try {
			return body.run();
		}
		finally {
			if (outer != null) {
				METHOD.set(outer);
			}
			else {
				METHOD.remove();
			}
		}
	}

	/** Tells whether a call of the method is let in, which the next one is not. */
	static boolean take(Method method) {
		if (!method.equals(METHOD.get())) {
			return false;
		}
		METHOD.remove();
		return true;
	}

}
