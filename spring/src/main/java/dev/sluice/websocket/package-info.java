/**
 * WebSocket sessions whose messages are handled and sent in order, one at a time, without
 * holding a thread while they wait: what an application writes, implements and is given.
 * <p>
 * Uses none of the packages below, which are internal. A message comes in by
 * {@code container}, waits in {@code inbound}, is handled by {@code endpoint},
 * {@code handler} or {@code stomp}, and its answer leaves by {@code outbound}. Start at
 * {@link dev.sluice.websocket.ManagedSession}; with which status the server closes is in
 * {@link dev.sluice.websocket.CloseStatuses}.
 */
@NullMarked
package dev.sluice.websocket;

import org.jspecify.annotations.NullMarked;
