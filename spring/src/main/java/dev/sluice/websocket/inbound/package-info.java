/**
 * From the client to the handler: the turns of a session, the thread that handles a
 * message, the pressure of what waits on the reading of its socket, the parts of
 * messages, and calls that wait for permits. Internal.
 * <p>
 * Uses {@code container} and {@code message}, and does not know {@code outbound}. Start
 * at {@link dev.sluice.websocket.inbound.SessionInbound}, then
 * {@link dev.sluice.websocket.inbound.HandlingThreadPolicy} and
 * {@link dev.sluice.websocket.inbound.InboundPressure}.
 */
@NullMarked
package dev.sluice.websocket.inbound;

import org.jspecify.annotations.NullMarked;
