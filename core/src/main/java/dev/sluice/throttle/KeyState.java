package dev.sluice.throttle;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * State of one key at one instant; values may be stale when read.
 *
 * @param key the key
 * @param limit the current maximum of the key
 * @param used the permits spent in the period, or held
 * @param remaining the permits left
 * @param rejected the calls rejected since the key was created or last idle
 * @param waiting the calls in line
 * @param retryAfter the time until one permit is available; zero for immediately,
 * {@code null} if unknown
 * @param resetAfter the time until the usage of a rate limit no longer counts; zero for a
 * mutex or semaphore
 * @param oldestHolder the owner that has held permits longest; empty for a rate limit
 * @since 0.1.0
 */
public record KeyState(String key, int limit, int used, int remaining, long rejected, int waiting,
		@Nullable Duration retryAfter, Duration resetAfter, Optional<Holder> oldestHolder) {
}
