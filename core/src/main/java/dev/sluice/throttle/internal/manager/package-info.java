/**
 * The manager, and the throttles whose state is in a store.
 * <p>
 * Uses all other packages of limits but {@code failover}. None of them uses this package,
 * except for the factory of the API, {@code ThrottlingManager.builder()}. Start at
 * {@link dev.sluice.throttle.internal.manager.DefaultThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle.internal.manager;

import org.jspecify.annotations.NullMarked;
