/**
 * Trace headers of messages between nodes. Internal.
 * <p>
 * {@code PropagatedHeaders} writes and reads it.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal.trace;

import org.jspecify.annotations.NullMarked;
