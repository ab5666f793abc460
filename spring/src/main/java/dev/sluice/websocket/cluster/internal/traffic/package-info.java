/**
 * What goes over the bus of a node, counted and timed. Internal.
 * <p>
 * Start at {@link dev.sluice.websocket.cluster.internal.traffic.MeasuredBus}.
 */
@NullMarked
package dev.sluice.websocket.cluster.internal.traffic;

import org.jspecify.annotations.NullMarked;
