/**
 * Rate limits in memory: a cell for each algorithm (sliding log, fixed, sliding and
 * dynamic window, token bucket), the eviction of idle keys, and the forecast that tells
 * newcomers behind a line how long they will wait.
 * <p>
 * Uses {@code memory} and {@code line}. A dynamic window and what its keys share are one
 * algorithm in two classes. Start at
 * {@link dev.sluice.throttle.internal.rate.RateThrottle}, then {@code FixedWindowCell},
 * the shortest of the cells.
 */
@NullMarked
package dev.sluice.throttle.internal.rate;

import org.jspecify.annotations.NullMarked;
