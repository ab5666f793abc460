/**
 * Settings of sessions: the limits of each session, the times after which a session is
 * ended, the number of sessions, and the waiting bytes of all of them. Internal.
 * <p>
 * Uses the API only. Start at {@link dev.sluice.websocket.settings.WebSocketSettings}.
 */
@NullMarked
package dev.sluice.websocket.settings;

import org.jspecify.annotations.NullMarked;
