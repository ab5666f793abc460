package dev.sluice.aop;

import java.lang.reflect.Method;

/**
 * Tells which limited methods are called by a dispatcher that calls them by way of the
 * {@link ThrottleGate}, such as the handlers of WebSocket messages. Beans of this type
 * make the advisor leave those methods alone, so that a call is counted once. They are
 * asked while other beans are being created, so they should need none.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DispatchedMethods {

	/**
	 * Tells whether a dispatcher guards a method.
	 * @param method the method, as the target class declares or inherits it
	 * @param targetClass the class of the bean behind any proxy
	 * @return whether the advisor is to leave it alone
	 */
	boolean contains(Method method, Class<?> targetClass);

}
