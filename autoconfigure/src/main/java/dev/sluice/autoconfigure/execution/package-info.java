/**
 * Executors of messages, {@code inbound} and {@code outbound}, and the pool of threads
 * that they share.
 * <p>
 * Internal; uses {@code properties}. Start at
 * {@link dev.sluice.autoconfigure.execution.ExecutorsConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.execution;

import org.jspecify.annotations.NullMarked;
