package dev.sluice.websocket.message;

import java.util.Arrays;
import java.util.Set;

/**
 * Types of objects that cannot be sent, because they stand for a later message or are
 * objects of this node.
 */
public final class UnsendableTypes {

	private static final Set<String> NAMES = Set.of("dev.sluice.websocket.ManagedSession",
			"org.springframework.web.socket.WebSocketSession", "java.lang.Throwable", "java.util.concurrent.Future",
			"java.util.concurrent.Callable", "java.util.concurrent.Flow$Publisher", "org.reactivestreams.Publisher",
			"java.util.stream.BaseStream", "org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
			"org.springframework.http.HttpEntity", "kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Job");

	private UnsendableTypes() {
	}

	/** Returns whether objects of a class cannot be sent. */
	public static boolean contain(Class<?> type) {
		return NAMES.contains(type.getName()) || (type.getSuperclass() != null && contain(type.getSuperclass()))
				|| Arrays.stream(type.getInterfaces()).anyMatch(UnsendableTypes::contain);
	}

}
