/**
 * WebSocket sessions of all nodes of an application, which can be found, sent to and
 * closed on any node, and topics with one order for all.
 * <p>
 * Start at {@link dev.sluice.cluster.SessionCluster}. Nodes communicate over a
 * {@link dev.sluice.bus.ClusterBus}; the implementation is in {@code internal}.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
