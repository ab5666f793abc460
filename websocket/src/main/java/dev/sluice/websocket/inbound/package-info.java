/**
 * From the client to the handler: messages and their turns, the thread that handles a
 * message, the pressure of waiting messages on the reading of the socket, and the parts
 * of messages. Internal.
 * <p>
 * Uses {@code container} and {@code message}, and is independent of {@code outbound}.
 * Start at {@link dev.sluice.websocket.inbound.InboundMessage}, then
 * {@link dev.sluice.websocket.inbound.SessionInbound},
 * {@link dev.sluice.websocket.inbound.HandlingThreadPolicy} and
 * {@link dev.sluice.websocket.inbound.InboundPressure}.
 */
@NullMarked
package dev.sluice.websocket.inbound;

import org.jspecify.annotations.NullMarked;
