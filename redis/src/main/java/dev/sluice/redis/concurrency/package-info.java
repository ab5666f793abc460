/**
 * Concurrency limits in Redis, which are semaphores and mutexes: the permits that are
 * held at this node, the renewal of their leases, and the calls that wait for one.
 * <p>
 * Internal. Uses {@code connection} and {@code throttle}. Start at
 * {@link dev.sluice.redis.concurrency.RedisConcurrencyThrottle}, then
 * {@code ConcurrencyKey}, which renews leases and receives grants.
 */
@NullMarked
package dev.sluice.redis.concurrency;

import org.jspecify.annotations.NullMarked;
