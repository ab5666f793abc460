/**
 * Limits: defined from properties, environment variables and customizers, with a registry
 * of the source of each.
 * <p>
 * Internal, except for the auto-configuration; uses {@code execution} and
 * {@code properties}. Start at
 * {@link dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration}, then
 * {@link dev.sluice.autoconfigure.throttle.SluiceThrottleProperties}.
 */
@NullMarked
package dev.sluice.autoconfigure.throttle;

import org.jspecify.annotations.NullMarked;
