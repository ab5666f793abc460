package dev.sluice.websocket.handler;

import java.lang.reflect.Method;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/** Methods that are called for messages and connections, by their purpose. */
public final class HandlerMethods {

	private HandlerMethods() {
	}

	/**
	 * Returns whether a method of a handler that the application registers itself handles
	 * messages for the dispatcher, which then acquires the permits of its annotations.
	 * @param method the method
	 * @param targetClass the class of the handler
	 * @return whether it is such a method
	 */
	public static boolean isHandlerMethod(Method method, Class<?> targetClass) {
		return WebSocketHandler.class.isAssignableFrom(targetClass) && method.getParameterCount() == 2
				&& method.getParameterTypes()[0] == WebSocketSession.class
				&& WebSocketMessage.class.isAssignableFrom(method.getParameterTypes()[1]);
	}

	/**
	 * Returns whether a method of a {@link dev.sluice.websocket.WebSocketEndpoint} class
	 * handles messages for the dispatcher, which then acquires the permits of its
	 * annotations.
	 * @param method the method
	 * @param targetClass the class of the session
	 * @return whether it is such a method
	 */
	public static boolean isEndpointMethod(Method method, Class<?> targetClass) {
		return ManagedSession.class.isAssignableFrom(targetClass)
				&& AnnotatedElementUtils.hasAnnotation(method, OnMessage.class);
	}

	/**
	 * Returns whether a method is called for the connection and not for a message. Limits
	 * must not prevent the call: the application would miss the end of a session.
	 * @param method the method
	 * @param targetClass the class of the handler or session
	 * @return whether it is such a method
	 */
	public static boolean isConnectionCallback(Method method, Class<?> targetClass) {
		return WebSocketHandler.class.isAssignableFrom(targetClass) && overrides(method, WebSocketHandler.class)
				&& !isHandlerMethod(method, targetClass)
				|| ManagedSession.class.isAssignableFrom(targetClass) && overrides(method, ManagedSession.class);
	}

	private static boolean overrides(Method method, Class<?> type) {
		return ReflectionUtils.findMethod(type, method.getName(), method.getParameterTypes()) != null;
	}

}
