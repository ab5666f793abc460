package dev.sluice.websocket.message;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message as it goes over the wire.
 *
 * @param message the message
 * @param type its type, which texts and bytes have not
 */
public record WrittenMessage(WebSocketMessage<?> message, @Nullable String type) {

}
