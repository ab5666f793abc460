/**
 * Counters and timers of a node's traffic on the bus. Internal.
 * <p>
 * Start at {@link dev.sluice.cluster.internal.traffic.MeasuredBus}.
 */
@NullMarked
package dev.sluice.cluster.internal.traffic;

import org.jspecify.annotations.NullMarked;
