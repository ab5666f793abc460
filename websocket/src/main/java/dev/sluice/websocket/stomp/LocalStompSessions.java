package dev.sluice.websocket.stomp;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import dev.sluice.websocket.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.TextMessage;

/**
 * The STOMP sessions of this node.
 *
 * @param sessions all sessions of this node
 * @since 0.1.0
 */
public record LocalStompSessions(SessionRegistry sessions) {

	/** Payload that clients ignore: a line break between two frames. */
	private static final TextMessage NOTHING = new TextMessage("\n");

	/** Returns whether a session of this node has the id. */
	public boolean isHere(String id) {
		return this.sessions.find(id) != null;
	}

	/**
	 * Returns a stage that ends when all messages sent to a session before were written,
	 * or never will be.
	 */
	public CompletionStage<?> sent(@Nullable String id) {
		OrderedWebSocketSession session = (id != null) ? this.sessions.find(id) : null;
		return (session != null) ? session.outbound().send(NOTHING, Level.NORMAL)
				: CompletableFuture.completedFuture(null);
	}

}
