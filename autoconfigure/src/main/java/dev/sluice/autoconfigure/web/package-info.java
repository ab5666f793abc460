/**
 * Response to requests rejected by a limit, with status 429 unless configured otherwise,
 * in servlet and in reactive applications.
 * <p>
 * Internal but for the auto-configurations; uses {@code throttle}. Start at
 * {@code ThrottledProblem}, which is the answer. {@code ThrottledExceptionResolver} and
 * {@code ThrottledWebExceptionHandler} write it, and {@code ApplicationHandlers}
 * determines where they defer to handlers of the application.
 */
@NullMarked
package dev.sluice.autoconfigure.web;

import org.jspecify.annotations.NullMarked;
