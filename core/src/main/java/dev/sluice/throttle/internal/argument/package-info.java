/**
 * Checks of arguments, and the bound on the length of keys and owners. The API and all
 * internal packages use them.
 * <p>
 * Uses nothing of limits. Start at {@link dev.sluice.throttle.internal.argument.Checks}.
 */
@NullMarked
package dev.sluice.throttle.internal.argument;

import org.jspecify.annotations.NullMarked;
