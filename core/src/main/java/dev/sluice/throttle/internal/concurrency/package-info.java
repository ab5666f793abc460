/**
 * Concurrency limits in memory, which are semaphores and mutexes: the holders of a key's
 * permits, repeated entries of one owner that count once, release by owner name, and
 * hand-over to the next waiter.
 * <p>
 * Uses {@code memory} and {@code line}. Start at
 * {@link dev.sluice.throttle.internal.concurrency.ConcurrencyThrottle}, then
 * {@code ConcurrencyCell}, which lists the holders of a key.
 */
@NullMarked
package dev.sluice.throttle.internal.concurrency;

import org.jspecify.annotations.NullMarked;
