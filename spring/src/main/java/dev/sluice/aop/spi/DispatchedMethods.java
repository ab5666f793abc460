package dev.sluice.aop.spi;

import java.lang.reflect.Method;

/**
 * Methods that the advisor does not limit. They are methods that a dispatcher calls
 * through the {@code ThrottleGate}, such as the handlers of WebSocket messages, so that a
 * call is counted once, and callbacks that limits must not block. If annotations on such
 * a method have no effect because no dispatcher has called {@code guards} for it, a
 * warning is logged at startup. Beans of this type are called while other beans are being
 * created, and should therefore have no dependencies.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface DispatchedMethods {

	/**
	 * Returns whether the advisor must not limit a method.
	 * @param method the method, as the target class declares or inherits it
	 * @param targetClass the class of the bean, without any proxy
	 * @return whether the advisor must not limit it
	 */
	boolean contains(Method method, Class<?> targetClass);

}
