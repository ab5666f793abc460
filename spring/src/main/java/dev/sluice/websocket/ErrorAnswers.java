package dev.sluice.websocket;

import dev.sluice.execution.Level;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * Answers messages that were not handled.
 *
 * @param messages writes the answers
 * @param handler chooses them; without one, they are the standard frames
 */
record ErrorAnswers(JsonMessages messages, @Nullable MessageErrorHandler handler) {

	private static final Log logger = LogFactory.getLog(ErrorAnswers.class);

	/** Posts the answer, in the session's turn. */
	void answer(OrderedWebSocketSession session, Throwable error) {
		try {
			Object answer = choose(session, error);
			if (answer != null) {
				WebSocketMessage<?> message = this.messages.write(answer);
				EncodedSize.of(message);
				session.outbound().send(message, Level.NORMAL);
			}
		}
		catch (RuntimeException ex) {
			logger.error("Failed to answer a message in " + session, ex);
		}
	}

	private @Nullable Object choose(OrderedWebSocketSession session, Throwable error) {
		ManagedSession managed = session.managed();
		return (this.handler != null && managed != null) ? this.handler.answer(managed, error)
				: this.messages.frame(error);
	}

}
