/**
 * Partitions of the names of the bus, each in a slot of a Redis Cluster: the server that
 * has a partition, its channels, and its commands while its slot moves. Internal.
 * <p>
 * Uses {@code connection}. Start at {@link dev.sluice.redis.bus.partition.Partitions}.
 */
@NullMarked
package dev.sluice.redis.bus.partition;

import org.jspecify.annotations.NullMarked;
