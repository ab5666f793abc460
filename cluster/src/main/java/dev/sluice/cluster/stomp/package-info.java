/**
 * Destinations of Spring's simple broker over all nodes of an application. Internal.
 * <p>
 * A message to such a destination is sent to all nodes, including this one, instead of
 * the broker of this node, and each node passes it to its own broker when it arrives.
 * Start at {@link dev.sluice.cluster.stomp.ClusteredBroker}, then {@code StompRoutes}.
 */
@NullMarked
package dev.sluice.cluster.stomp;

import org.jspecify.annotations.NullMarked;
