/**
 * The manager, and the two ends of a store: what stands for a limit whose state is in
 * one, and the memory of this node as a store.
 * <p>
 * Uses all other packages of limits, and none of them uses this one, but for the two
 * factories of the API, {@code ThrottlingManager.builder()} and
 * {@code ThrottleStore.inMemory}. Start at
 * {@link dev.sluice.throttle.internal.manager.DefaultThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle.internal.manager;

import org.jspecify.annotations.NullMarked;
