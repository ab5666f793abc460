/**
 * Messages: their encoded sizes, their cost while they wait, JSON, and the bound of the
 * waiting bytes of all sessions. Internal.
 * <p>
 * Uses the API only. Start at {@link dev.sluice.websocket.message.JsonMessages}, or at
 * {@link dev.sluice.websocket.message.TotalBuffer} for the bound.
 */
@NullMarked
package dev.sluice.websocket.message;

import org.jspecify.annotations.NullMarked;
