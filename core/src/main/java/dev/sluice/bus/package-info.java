/**
 * Communication between the nodes of one application: messages to nodes, names that nodes
 * join, and the order and history of messages published under a name. Messages are plain
 * text. The cluster of WebSocket sessions builds on this package, which does not depend
 * on it.
 * <p>
 * Start at {@link dev.sluice.bus.ClusterBus}; {@link dev.sluice.bus.MemoryBus} is the
 * implementation for a single virtual machine.
 */
@NullMarked
package dev.sluice.bus;

import org.jspecify.annotations.NullMarked;
