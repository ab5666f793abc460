/**
 * From the handler to the client: the order of sending, its buffer, messages in parts,
 * control frames, and the closing. Internal.
 * <p>
 * Uses {@code container}, {@code journal} and {@code message}, and is independent of
 * {@code inbound}. Start at {@link dev.sluice.websocket.outbound.SessionOutbound}, then
 * {@code OutboundState}, which everything rests on, and {@code SessionClosing};
 * {@code SlowClientPolicy} decides that a client reads too slowly.
 */
@NullMarked
package dev.sluice.websocket.outbound;

import org.jspecify.annotations.NullMarked;
