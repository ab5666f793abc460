package dev.sluice.websocket.endpoint;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.List;

import dev.sluice.websocket.InvalidEndpointException;

import org.springframework.web.socket.BinaryMessage;

/** Rules for the class of an endpoint whose sessions resume. */
final class ResumableRules {

	private ResumableRules() {
	}

	/**
	 * Checks the class of an endpoint.
	 * @throws InvalidEndpointException if it breaks a rule
	 */
	static void check(Class<?> type, MessageRoutes routes, List<String> subProtocols) {
		for (String reserved : List.of("resume", "ack")) {
			if (routes.isNamed(reserved)) {
				throw new InvalidEndpointException(type,
						"It is resumable and handles messages of type '" + reserved + "', which clients send to resume",
						"Give the message another type, or remove 'resumable'.");
			}
		}
		for (Method method : routes.methods()) {
			Class<?> sent = ResultTypes.sent(method, type);
			if (sent == byte[].class || ByteBuffer.class.isAssignableFrom(sent)
					|| BinaryMessage.class.isAssignableFrom(sent)) {
				throw new InvalidEndpointException(type,
						"It is resumable, and method " + method + " returns bytes, which cannot be sent again",
						"Return a text or an object, or remove 'resumable'.");
			}
		}
		if (!subProtocols.isEmpty()) {
			throw new InvalidEndpointException(type, "It is resumable and has sub-protocols",
					"Remove 'subProtocols', or remove 'resumable'.");
		}
	}

}
