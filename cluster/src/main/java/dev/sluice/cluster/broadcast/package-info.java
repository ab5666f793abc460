/**
 * Texts to all nodes of an application, in the same order on all of them. Internal.
 * <p>
 * Start at {@link dev.sluice.cluster.broadcast.OrderedBroadcast}.
 */
@NullMarked
package dev.sluice.cluster.broadcast;

import org.jspecify.annotations.NullMarked;
