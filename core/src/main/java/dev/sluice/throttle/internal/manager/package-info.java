/**
 * The manager, the throttles whose state is in a store, and the store in the memory of
 * this node.
 * <p>
 * Uses all other packages of limits. None of them uses this package, except for the two
 * factories of the API, {@code ThrottlingManager.builder()} and
 * {@code ThrottleStore.inMemory}. Start at
 * {@link dev.sluice.throttle.internal.manager.DefaultThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle.internal.manager;

import org.jspecify.annotations.NullMarked;
