/**
 * Rate limits in memory: a cell for each algorithm (sliding log, fixed, sliding and
 * dynamic window, token bucket), the eviction of idle keys, and the forecast of the wait
 * of a new call at the end of a line.
 * <p>
 * Uses {@code memory} and {@code line}. A dynamic window and the shared state of its keys
 * are one algorithm in two classes. Start at
 * {@link dev.sluice.throttle.internal.rate.RateThrottle}, then {@code FixedWindowCell},
 * the shortest of the cells.
 */
@NullMarked
package dev.sluice.throttle.internal.rate;

import org.jspecify.annotations.NullMarked;
