package dev.sluice.cluster;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Traffic of a node over its bus, since the start.
 *
 * @param sent messages and publications that were passed to the bus
 * @param received messages and publications that have arrived
 * @param failed calls of the bus that have failed
 * @param timed how many publications of this node were timed until they arrived at the
 * node itself: one at a time, of topics that its sessions have joined
 * @param timedTotal how long these took together
 * @param lag how long the latest of these took, {@code null} if none was timed
 * @since 0.1.0
 */
public record BusTraffic(long sent, long received, long failed, long timed, Duration timedTotal,
		@Nullable Duration lag) {

}
