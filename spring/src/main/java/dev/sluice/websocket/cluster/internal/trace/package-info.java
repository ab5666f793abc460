/**
 * What goes with messages between nodes, for traces. Internal.
 * <p>
 * {@code PropagatedHeaders} writes and reads it.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal.trace;

import org.jspecify.annotations.NullMarked;
