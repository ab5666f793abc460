/**
 * From the client to the handler: the turns of a session, the thread that handles a
 * message, the pressure of waiting messages on the reading of the socket, the parts of
 * messages, and calls that wait for permits. Internal.
 * <p>
 * Uses {@code container} and {@code message}, and is independent of {@code outbound}.
 * Start at {@link dev.sluice.websocket.inbound.SessionInbound}, then
 * {@link dev.sluice.websocket.inbound.HandlingThreadPolicy} and
 * {@link dev.sluice.websocket.inbound.InboundPressure}.
 */
@NullMarked
package dev.sluice.websocket.inbound;

import org.jspecify.annotations.NullMarked;
