package dev.sluice.websocket;

import org.springframework.web.socket.CloseStatus;

/**
 * Event published in the session's turn when it has ended and its last message was
 * handled.
 *
 * @param session the session; messages can no longer be sent to it
 * @param status how it ended
 * @since 0.1.0
 */
public record WebSocketSessionClosedEvent(ManagedSession session, CloseStatus status) {
}
