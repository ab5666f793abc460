package dev.sluice.websocket.handler;

import java.io.IOException;

import dev.sluice.internal.FatalErrors;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.ExceptionWebSocketHandlerDecorator;

/**
 * Calls of a handler that is called for each message.
 *
 * @param handler the handler
 * @param limits the limits of its methods, or {@code null}
 * @param throttledAnswer answers messages that limits reject
 */
record HandlerCalls(WebSocketHandler handler, @Nullable HandlerGate limits, ThrottledAnswer throttledAnswer) {

	private static final Log logger = LogFactory.getLog(HandlerCalls.class);

	/** Closes a session one of whose callbacks has failed. */
	static void failed(OrderedWebSocketSession session, Throwable failure) {
		if (!session.isOpen() && failure instanceof IOException) {
			logger.debug("A callback had no one left to send to", failure);
			return;
		}
		ExceptionWebSocketHandlerDecorator.tryCloseWithError(session, failure, logger);
		FatalErrors.passOn(failure);
	}

}
