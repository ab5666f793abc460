package dev.sluice.websocket.session;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.inbound.SessionInbound;
import dev.sluice.websocket.message.UnencodableTextException;
import dev.sluice.websocket.outbound.FullBuffer;
import dev.sluice.websocket.outbound.SessionOutbound;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.WebSocketMessage;

/**
 * Sending by handlers, whose send method has neither a future nor a buffer.
 *
 * @param inbound the inbound side of the session
 * @param outbound where messages are queued
 * @param fullBuffer strategy if there is no room
 */
record HandlerSends(SessionInbound inbound, SessionOutbound outbound, FullBuffer fullBuffer) {

	private static final Log logger = LogFactory.getLog(HandlerSends.class);

	/**
	 * Queues a message.
	 * @throws IOException if the server has closed the session, or all messages of the
	 * client have been handled
	 */
	void send(WebSocketMessage<?> message) throws IOException {
		CompletableFuture<@Nullable Void> sent = this.outbound.send(snapshot(message), this.fullBuffer);
		if (!sent.isCompletedExceptionally()) {
			return;
		}
		Throwable reason = sent.handle((nothing, failure) -> failure).join();
		if (isLost(reason)) {
			logger.debug("Not sent, as the client has gone", reason);
			return;
		}
		if (reason instanceof RuntimeException runtime) {
			throw runtime;
		}
		throw (reason instanceof IOException io) ? io : new IOException(reason);
	}

	/** Returns whether the message cannot be sent because the client has left. */
	private boolean isLost(Throwable reason) {
		return !(reason instanceof UnencodableTextException) && this.outbound.hasEnded() && !this.outbound.isClosing()
				&& !this.inbound.isOver();
	}

	/** The caller may reuse its buffer as soon as the message is queued. */
	private static WebSocketMessage<?> snapshot(WebSocketMessage<?> message) {
		if (!(message instanceof BinaryMessage binary)) {
			return message;
		}
		byte[] bytes = new byte[binary.getPayloadLength()];
		binary.getPayload().duplicate().get(bytes);
		return new BinaryMessage(bytes, binary.isLast());
	}

}
