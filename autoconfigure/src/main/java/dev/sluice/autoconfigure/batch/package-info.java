/**
 * Batches: methods with {@code @BatchListener} and {@code BatchPump} beans, the consumer
 * and the threads of each, and their lifecycle.
 * <p>
 * Internal, except for the auto-configuration; uses {@code execution} and
 * {@code properties}, after {@code throttle}. Start at {@code BatchTargets}, which finds
 * the listeners, then {@code Batches}, which starts and drains them.
 */
@NullMarked
package dev.sluice.autoconfigure.batch;

import org.jspecify.annotations.NullMarked;
