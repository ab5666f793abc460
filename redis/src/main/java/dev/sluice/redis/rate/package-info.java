/**
 * Rate limits in Redis: decisions for several calls of a node at once, the waiting line
 * of a key, permits that are fetched in advance, calls whose answers are lost, and the
 * move of keys when a limit becomes a dynamic window.
 * <p>
 * Internal. Uses {@code connection} and {@code throttle}. Start at
 * {@link dev.sluice.redis.rate.RedisRateThrottle}, then {@code PermitPrefetch}, which
 * sends the questions, and {@code RateLine}.
 */
@NullMarked
package dev.sluice.redis.rate;

import org.jspecify.annotations.NullMarked;
