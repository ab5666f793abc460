/**
 * Bus between nodes over Redis: leases of nodes, interest in names, publications and
 * their history.
 * <p>
 * Uses {@code connection} and {@code partition}. Start at
 * {@link dev.sluice.redis.bus.RedisClusterBus}.
 */
@NullMarked
package dev.sluice.redis.bus;

import org.jspecify.annotations.NullMarked;
