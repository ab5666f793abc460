/**
 * Presence of principals in topics. Internal.
 * <p>
 * Start at {@link dev.sluice.websocket.cluster.internal.presence.LocalPresence}.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal.presence;

import org.jspecify.annotations.NullMarked;
