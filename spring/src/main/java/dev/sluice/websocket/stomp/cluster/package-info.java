/**
 * Destinations of Spring's simple broker over all nodes of an application. Internal.
 * <p>
 * What is sent to such a destination goes to all nodes, this one included, in place of
 * the broker of this node, and each node gives it to its own broker when it arrives.
 * Start at {@link dev.sluice.websocket.stomp.cluster.ClusteredBroker}, then
 * {@code MessageRoutes}.
 */
@NullMarked
package dev.sluice.websocket.stomp.cluster;

import org.jspecify.annotations.NullMarked;
