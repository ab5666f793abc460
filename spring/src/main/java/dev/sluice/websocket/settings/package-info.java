/**
 * Settings of sessions: the limits of each, the times after which one is ended, how many
 * there may be, and what may wait in all of them. Internal.
 * <p>
 * Uses the API only. Start at {@link dev.sluice.websocket.settings.WebSocketSettings}.
 */
@NullMarked
package dev.sluice.websocket.settings;

import org.jspecify.annotations.NullMarked;
