/**
 * One session in both directions, and all sessions together: their registry, their
 * number, their liveness, and their end with the application. Internal.
 * <p>
 * Uses all packages for one direction or one container, and {@code settings}. Start at
 * {@link dev.sluice.websocket.session.OrderedWebSocketSession}, then
 * {@link dev.sluice.websocket.session.WebSocketSessions}, which creates the parts from
 * {@link dev.sluice.websocket.settings.WebSocketSettings}.
 */
@NullMarked
package dev.sluice.websocket.session;

import org.jspecify.annotations.NullMarked;
