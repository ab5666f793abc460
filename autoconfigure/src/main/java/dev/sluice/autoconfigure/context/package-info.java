/**
 * Context that follows a task to the thread that runs it: of messages, and of calls that
 * waited for a permit. One decorator each for logging, security, the request, and what
 * libraries have registered.
 * <p>
 * Internal but for the auto-configurations; uses {@code execution}. Start at
 * {@link dev.sluice.autoconfigure.context.SluiceMessageContextAutoConfiguration}.
 */
@NullMarked
package dev.sluice.autoconfigure.context;

import org.jspecify.annotations.NullMarked;
