/**
 * Waiting line of one key: places and their waiters, first come, first served; the
 * actions that are deferred until all guards are released; and the completion of futures
 * on the user's executor.
 * <p>
 * Independent of cells and limits. The guard of the line's cell protects all state except
 * in {@code Completions} and {@code ThreadAdder}. A waiter accesses its throttle only as
 * a {@link dev.sluice.throttle.internal.line.LineOwner}. Start at
 * {@link dev.sluice.throttle.internal.line.Line}, then
 * {@link dev.sluice.throttle.internal.line.Waiter}.
 */
@NullMarked
package dev.sluice.throttle.internal.line;

import org.jspecify.annotations.NullMarked;
