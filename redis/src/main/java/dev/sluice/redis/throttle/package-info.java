/**
 * Properties that all limits in Redis share, whatever their kind: the definition that all
 * nodes agree on, counts, the listing of keys, and the calls that wait.
 * <p>
 * Internal. Uses {@code connection}. Start at
 * {@link dev.sluice.redis.throttle.RedisThrottle}, then {@code Definition}.
 */
@NullMarked
package dev.sluice.redis.throttle;

import org.jspecify.annotations.NullMarked;
