package dev.sluice.websocket;

/**
 * Event published in the session's turn when it has been opened, before its first message
 * is handled.
 *
 * @param session the session
 * @since 0.1.0
 */
public record WebSocketSessionOpenedEvent(ManagedSession session) {
}
