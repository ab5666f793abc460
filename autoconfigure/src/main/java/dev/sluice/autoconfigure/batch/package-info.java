/**
 * Batches: methods with {@code @BatchListener} and {@code BatchPump} beans, a consumer
 * and threads for each, and their life cycle.
 * <p>
 * Internal but for the auto-configuration; uses {@code execution} and {@code properties},
 * after {@code throttle}. Start at {@code BatchTargets}, which finds the listeners, then
 * {@code Batches}, which starts and drains them.
 */
@NullMarked
package dev.sluice.autoconfigure.batch;

import org.jspecify.annotations.NullMarked;
