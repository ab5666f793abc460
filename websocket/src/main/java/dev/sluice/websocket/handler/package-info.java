/**
 * Between the container and the handlers of an application: handshakes, the intake of
 * messages, the mappings of Spring MVC, and answers to messages that are not handled.
 * Internal.
 * <p>
 * Uses {@code session} and the packages below it. Start at
 * {@link dev.sluice.websocket.handler.OrderedWebSocketHandler}, which receives the
 * callbacks of the container. {@link dev.sluice.websocket.handler.WebSocketDispatcher}
 * creates it, and provides the parts that configurations need.
 */
@NullMarked
package dev.sluice.websocket.handler;

import org.jspecify.annotations.NullMarked;
