package dev.sluice.websocket;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/**
 * Strategy for choosing which messages are urgent. A bean of this type is called for each
 * message to a typed session or to a handler that the application registers itself. STOMP
 * clients request a level with a header instead.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface LevelResolver {

	/**
	 * Returns the level of a message. Called on the container's thread, in the order of
	 * the messages, before the message waits; should return quickly and not wait.
	 * @param session the session
	 * @param message the whole message, or a part of it if the handler supports partial
	 * messages
	 * @return the level, or {@code null} for {@link OnMessage#level()}, or otherwise
	 * {@link Level#NORMAL}. If the resolver throws, the session is closed with 1011
	 */
	@Nullable Level resolve(WebSocketSession session, WebSocketMessage<?> message);

}
