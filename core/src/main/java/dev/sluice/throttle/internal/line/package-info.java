/**
 * Waiting line of one key: places and the waiters in them, first come, first served; what
 * is done once all guards are released; and the completion of futures on the executor of
 * the user.
 * <p>
 * Knows neither cells nor limits: all but {@code Completions} and {@code ThreadAdder} is
 * guarded by the cell that the line belongs to, and a waiter knows its throttle as a
 * {@link dev.sluice.throttle.internal.line.LineOwner} only. Start at
 * {@link dev.sluice.throttle.internal.line.Line}, then
 * {@link dev.sluice.throttle.internal.line.Waiter}.
 */
@NullMarked
package dev.sluice.throttle.internal.line;

import org.jspecify.annotations.NullMarked;
