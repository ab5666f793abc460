/**
 * Between the container and the handlers of an application: handshakes, the intake of
 * messages, the mappings of Spring MVC, and answers to what is not handled. Internal.
 * <p>
 * Uses {@code session} and what is below it. Start at
 * {@link dev.sluice.websocket.handler.OrderedWebSocketHandler}, which takes the callbacks
 * of the container; {@link dev.sluice.websocket.handler.WebSocketDispatcher} makes it,
 * and has the parts that configurations ask for.
 */
@NullMarked
package dev.sluice.websocket.handler;

import org.jspecify.annotations.NullMarked;
