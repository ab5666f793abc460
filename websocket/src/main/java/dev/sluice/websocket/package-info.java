/**
 * WebSocket sessions whose messages are handled and sent in order, one at a time, without
 * holding a thread while they wait. This package contains the types that an application
 * extends, implements and uses.
 * <p>
 * Does not use the packages below, which are internal. A message arrives through
 * {@code container}, waits in {@code inbound}, and is handled by {@code endpoint},
 * {@code handler} or {@code stomp}; its answer is sent through {@code outbound}. Start at
 * {@link dev.sluice.websocket.ManagedSession}; {@link dev.sluice.websocket.CloseStatuses}
 * contains the statuses with which the server closes sessions.
 */
@NullMarked
package dev.sluice.websocket;

import org.jspecify.annotations.NullMarked;
