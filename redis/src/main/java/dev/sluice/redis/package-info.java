/**
 * Limits that many nodes share in Redis or Valkey. Start at
 * {@link dev.sluice.redis.RedisThrottleStore}.
 * <p>
 * The packages below this one are internal. A call passes from the fail-over of core,
 * which decides whether to use Redis, to {@code rate} or {@code concurrency}, which
 * extend {@code throttle}, and from there to {@code connection}.
 */
@NullMarked
package dev.sluice.redis;

import org.jspecify.annotations.NullMarked;
