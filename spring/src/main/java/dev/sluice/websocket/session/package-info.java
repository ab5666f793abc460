/**
 * One session out of both its directions, and what is known of all: which there are, how
 * many there may be, which of them live, and how they end with the application. Internal.
 * <p>
 * Uses all packages that have one direction or one container, and {@code settings}. Start
 * at {@link dev.sluice.websocket.session.OrderedWebSocketSession}, then
 * {@link dev.sluice.websocket.session.WebSocketSessions}, which makes the parts, by
 * {@link dev.sluice.websocket.settings.WebSocketSettings}.
 */
@NullMarked
package dev.sluice.websocket.session;

import org.jspecify.annotations.NullMarked;
