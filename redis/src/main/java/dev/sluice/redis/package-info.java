/**
 * Limits that many nodes share, over Redis or Valkey. Start at
 * {@link dev.sluice.redis.RedisThrottleStore}.
 */
@NullMarked
package dev.sluice.redis;

import org.jspecify.annotations.NullMarked;
