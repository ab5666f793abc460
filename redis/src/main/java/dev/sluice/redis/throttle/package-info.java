/**
 * Common parts of all limits in Redis: the shared definition, counts, the listing of
 * keys, and waiting calls.
 * <p>
 * Internal. Uses {@code connection}. Start at
 * {@link dev.sluice.redis.throttle.RedisThrottle}, then {@code Definition}.
 */
@NullMarked
package dev.sluice.redis.throttle;

import org.jspecify.annotations.NullMarked;
