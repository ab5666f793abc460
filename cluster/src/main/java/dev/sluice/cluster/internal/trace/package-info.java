/**
 * Trace headers of messages between nodes. Internal.
 * <p>
 * {@code PropagatedHeaders} writes and reads them.
 */
@NullMarked
package dev.sluice.cluster.internal.trace;

import org.jspecify.annotations.NullMarked;
