/**
 * WebSocket sessions of all nodes of an application: found, sent to and closed wherever
 * they are, and topics with one order for all.
 * <p>
 * Start at {@link dev.sluice.websocket.cluster.SessionCluster}. How nodes reach each
 * other is a {@link dev.sluice.cluster.ClusterBus}; the implementation is in
 * {@code internal}.
 */
@NullMarked
package dev.sluice.websocket.cluster;

import org.jspecify.annotations.NullMarked;
