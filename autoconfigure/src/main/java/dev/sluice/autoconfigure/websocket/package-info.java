/**
 * Ordered WebSocket sessions: the dispatcher with its properties, the limits of the
 * application and the container, STOMP, and the checks that stop the start with their
 * failure analyzers.
 * <p>
 * Internal, except for the auto-configurations; uses {@code container}, {@code execution}
 * and {@code properties}. Start at
 * {@link dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration}, then
 * {@code WebSocketSettingsMapper}, which turns properties into settings.
 */
@NullMarked
package dev.sluice.autoconfigure.websocket;

import org.jspecify.annotations.NullMarked;
