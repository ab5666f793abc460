/**
 * Types that all internal packages share: the throttle with the operations of its
 * manager, decisions in one number, the listener, and permits that can be refunded. No
 * other module may use this package or its subpackages, except that the stores on servers
 * use {@code failover}.
 * <p>
 * Uses the API, and {@code argument}, the checks of arguments, which the API uses too.
 * The subpackages above, each of which uses the preceding ones: {@code line} (waiters),
 * {@code memory} (keys and cells), {@code rate} and {@code concurrency} (the two kinds of
 * limit), {@code joint} (several limits in one call), {@code manager}. {@code failover}
 * uses none of them. Start at
 * {@link dev.sluice.throttle.internal.manager.DefaultThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle.internal;

import org.jspecify.annotations.NullMarked;
