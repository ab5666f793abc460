package dev.sluice.aop.spi;

import java.lang.reflect.Method;

/**
 * Methods that the advisor has to leave alone: those that a dispatcher calls by way of
 * the {@code ThrottleGate}, such as the handlers of WebSocket messages, so that a call is
 * counted once, and callbacks that no limit may keep from being called. Where annotations
 * on such a method have no effect, because no dispatcher asked the gate whether it
 * {@code guards} it, the start warns. Beans of this type are asked while other beans are
 * being created, so they should need none.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DispatchedMethods {

	/**
	 * Returns whether to leave a method alone.
	 * @param method the method, as the target class declares or inherits it
	 * @param targetClass the class of the bean behind any proxy
	 * @return whether the advisor is to leave it alone
	 */
	boolean contains(Method method, Class<?> targetClass);

}
