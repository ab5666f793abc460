/**
 * Presence of principals in topics. Internal.
 * <p>
 * Start at {@link dev.sluice.cluster.internal.presence.LocalPresence}.
 */
@NullMarked
package dev.sluice.cluster.internal.presence;

import org.jspecify.annotations.NullMarked;
