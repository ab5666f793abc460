/**
 * Store of limits in Redis, at the server of {@code spring.data.redis}.
 * <p>
 * Internal, except for the auto-configuration; uses {@code throttle} and
 * {@code properties}. Start at
 * {@link dev.sluice.autoconfigure.redis.SluiceRedisAutoConfiguration}, then
 * {@code RedisStoreConnections}.
 */
@NullMarked
package dev.sluice.autoconfigure.redis;

import org.jspecify.annotations.NullMarked;
