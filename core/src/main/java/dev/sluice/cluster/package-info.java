/**
 * Communication between the nodes of one application: messages to nodes, names that nodes
 * join, and the order and history of messages published under a name. Messages are plain
 * text. The cluster of WebSocket sessions builds on this package, which does not depend
 * on it.
 * <p>
 * Start at {@link dev.sluice.cluster.ClusterBus}; {@link dev.sluice.cluster.MemoryBus} is
 * the implementation for a single virtual machine.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
