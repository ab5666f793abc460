package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.message.UnsendableTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.web.socket.WebSocketSession;

/**
 * Types of results that cannot be sent, because they stand for a later answer or are
 * objects of this node.
 */
final class ResultTypes {

	private static final String LATER = "Return the value itself, or a CompletionStage of it: Mono has toFuture(), "
			+ "Stream toList(), and Flux collectList().toFuture().";

	private static final String SESSION = "Return the message to send, such as a record with the id of the session, "
			+ "or nothing.";

	/** Objects of this node, with the remedy of each. */
	private static final Map<Class<?>, String> OBJECTS = Map.of(ManagedSession.class, SESSION, WebSocketSession.class,
			SESSION, Throwable.class,
			"Throw it, so that a MessageErrorHandler can answer, or return a record with its message.");

	private ResultTypes() {
	}

	/**
	 * Returns the type that prevents the result of a method from being sent.
	 * @return the type, or {@code null} if the result can be sent
	 */
	static @Nullable Class<?> unsupported(Method method, Class<?> sessionType) {
		Class<?> sent = sent(method, sessionType);
		return UnsendableTypes.contain(sent) ? sent : null;
	}

	/** Returns what a method can return in place of an unsupported type. */
	static String remedy(Class<?> unsupported) {
		return OBJECTS.entrySet()
			.stream()
			.filter((type) -> type.getKey().isAssignableFrom(unsupported))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(LATER);
	}

	/** Returns the type of the result that is sent when a method has ended. */
	static Class<?> sent(Method method, Class<?> sessionType) {
		ResolvableType result = ResolvableType.forMethodReturnType(method, sessionType);
		if (CompletionStage.class.isAssignableFrom(result.toClass())) {
			result = result.as(CompletionStage.class).getGeneric(0);
		}
		if (result.toClass() == Optional.class) {
			result = result.getGeneric(0);
		}
		return result.toClass();
	}

}
