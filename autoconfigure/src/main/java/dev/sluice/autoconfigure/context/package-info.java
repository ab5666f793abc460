/**
 * Context that follows a task to the thread that runs it: of messages, and of calls that
 * waited for a permit. Logging, security, the request, and the values that libraries have
 * registered have one decorator each.
 * <p>
 * Internal, except for the auto-configuration; uses {@code execution}. Start at
 * {@link dev.sluice.autoconfigure.context.SluiceContextAutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.context;

import org.jspecify.annotations.NullMarked;
