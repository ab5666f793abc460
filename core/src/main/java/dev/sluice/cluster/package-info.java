/**
 * The seam between the nodes of one application: messages to nodes, names that nodes are
 * interested in, and the order and history of what is published under a name. It knows
 * texts only, and nothing of WebSocket sessions, whose cluster is built on it.
 * <p>
 * Start at {@link dev.sluice.cluster.ClusterBus}; {@link dev.sluice.cluster.MemoryBus} is
 * the one of a single virtual machine.
 */
@NullMarked
package dev.sluice.cluster;

import org.jspecify.annotations.NullMarked;
