package dev.sluice.websocket;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.WebSocketMessage;

/**
 * A message as it goes over the wire.
 *
 * @param message the message
 * @param type its type, which texts and bytes have not
 */
record WrittenMessage(WebSocketMessage<?> message, @Nullable String type) {

}
