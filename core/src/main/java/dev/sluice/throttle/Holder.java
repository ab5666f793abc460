package dev.sluice.throttle;

import java.time.Instant;

/**
 * Holder of permits of a mutex or semaphore.
 *
 * @param key the key they are of
 * @param owner the owner's name; a made-up one where the call gave none
 * @param permits how many
 * @param since when they were granted, by the manager's clock
 * @param waiting how many wait for the same key
 * @since 0.1.0
 */
public record Holder(String key, String owner, int permits, Instant since, int waiting) {
}
