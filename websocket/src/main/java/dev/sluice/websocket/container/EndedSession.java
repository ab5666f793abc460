package dev.sluice.websocket.container;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import jakarta.websocket.Session;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Stand-in for a container's session that has ended, for handlers that still access it.
 * It keeps the handshake data and the properties of the session. The container's own may
 * throw from then on, as it does for all else here.
 */
public final class EndedSession implements InvocationHandler {

	/** Values that are kept, by the method that returns them. */
	private static final Map<String, Function<Session, @Nullable Object>> KEPT = Map.of("getRequestURI",
			Session::getRequestURI, "getQueryString", Session::getQueryString, "getRequestParameterMap",
			Session::getRequestParameterMap, "getPathParameters", Session::getPathParameters, "getUserProperties",
			Session::getUserProperties, "getUserPrincipal", Session::getUserPrincipal, "getProtocolVersion",
			Session::getProtocolVersion, "getNegotiatedSubprotocol", Session::getNegotiatedSubprotocol,
			"getNegotiatedExtensions", Session::getNegotiatedExtensions, "isSecure", Session::isSecure);

	private final Session ended;

	private final Map<String, @Nullable Object> kept = new HashMap<>();

	private EndedSession(Session ending) {
		this.ended = ending;
		KEPT.forEach((method, value) -> this.kept.put(method, value.apply(ending)));
	}

	/**
	 * Keeps the data of a session that is about to end.
	 * @throws IllegalStateException if it has ended before
	 */
	public static Session of(Session ending) {
		return (Session) Proxy.newProxyInstance(EndedSession.class.getClassLoader(), new Class<?>[] { Session.class },
				new EndedSession(ending));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (KEPT.containsKey(method.getName())) {
			return this.kept.get(method.getName());
		}
		return switch (method.getName()) {
			case "isOpen" -> false;
			case "close" -> null;
			case "equals" -> arguments != null && proxy == arguments[0];
			case "hashCode" -> System.identityHashCode(proxy);
			default -> AopUtils.invokeJoinpointUsingReflection(this.ended, method,
					(arguments != null) ? arguments : new Object[0]);
		};
	}

	/** Hints for the reflection that delegates the remaining methods. */
	public static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.proxies().registerJdkProxy(Session.class);
			hints.reflection().registerType(Session.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

}
