package dev.sluice.autoconfigure.annotation;

import java.lang.reflect.Method;

import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.websocket.handler.HandlerMethods;

/**
 * Methods that sessions and handlers call. Callbacks of connections are among them
 * whether or not handlers and sessions are wrapped. Of a handler that is not wrapped, a
 * proxy intercepts the calls of {@code handleMessage} only.
 *
 * @param sessions whether Sluice manages the sessions of endpoints
 * @param wrapped whether the application's own handlers are wrapped
 */
record MessageMethods(boolean sessions, boolean wrapped) implements DispatchedMethods {

	@Override
	public boolean contains(Method method, Class<?> targetClass) {
		return HandlerMethods.isConnectionCallback(method, targetClass)
				|| (this.sessions && HandlerMethods.isEndpointMethod(method, targetClass))
				|| ((this.wrapped || !method.getName().equals("handleMessage"))
						&& HandlerMethods.isHandlerMethod(method, targetClass));
	}

}
