/**
 * Limits: from properties, environment variables and customizers to the manager, with
 * what remembers where each was defined.
 * <p>
 * Internal but for the auto-configuration; uses {@code execution} and {@code properties}.
 * Start at {@link dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration},
 * then {@link dev.sluice.autoconfigure.throttle.SluiceThrottleProperties}.
 */
@NullMarked
package dev.sluice.autoconfigure.throttle;

import org.jspecify.annotations.NullMarked;
