package dev.sluice.websocket.stomp;

import dev.sluice.execution.Level;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.NativeMessageHeaderAccessor;

/**
 * Levels of clients' messages. CONNECT is high because it is the first of its session:
 * then nothing, however urgent, comes before it. DISCONNECT is not: its receipt confirms
 * to the client that all messages it sent before were handled. The end of the connection,
 * which has no level, does not wait for it.
 *
 * @param header the STOMP header with which clients request {@link Level#HIGH}, or
 * {@code null} if they may not
 */
record MessageLevels(@Nullable String header) {

	Level of(Message<?> message) {
		SimpMessageType type = SimpMessageHeaderAccessor.getMessageType(message.getHeaders());
		if (type == SimpMessageType.CONNECT) {
			return Level.HIGH;
		}
		return (type == SimpMessageType.MESSAGE && asksForHigh(message)) ? Level.HIGH : Level.NORMAL;
	}

	private boolean asksForHigh(Message<?> message) {
		return this.header != null && Level.HIGH.name()
			.equalsIgnoreCase(NativeMessageHeaderAccessor.getFirstNativeHeader(this.header, message.getHeaders()));
	}

}
