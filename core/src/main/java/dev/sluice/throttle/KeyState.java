package dev.sluice.throttle;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * State of one key at one instant; values may be stale when read.
 *
 * @param key the key
 * @param limit the most it could have used, now
 * @param used permits spent in the period, or held
 * @param remaining permits left
 * @param rejected calls rejected since the key was first seen or last idle
 * @param waiting calls in line
 * @param retryAfter when one permit could be had; zero if at once, {@code null} if nobody
 * can know
 * @param resetAfter when a rate will have forgotten all that was used; zero where permits
 * are held
 * @param oldestHolder who has held permits longest; empty for a rate
 * @since 0.1.0
 */
public record KeyState(String key, int limit, int used, int remaining, long rejected, int waiting,
		@Nullable Duration retryAfter, Duration resetAfter, Optional<Holder> oldestHolder) {
}
