/**
 * Calls while Redis is unavailable: the probe that finds out when it is available again,
 * the fail-over policy of each limit, and the share of a limit that this node grants in
 * its own memory.
 * <p>
 * Internal. Uses {@code connection} and {@code throttle}. Start at
 * {@link dev.sluice.redis.availability.FailoverThrottle}, through which every call goes.
 */
@NullMarked
package dev.sluice.redis.availability;

import org.jspecify.annotations.NullMarked;
