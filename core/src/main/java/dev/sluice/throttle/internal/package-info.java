/**
 * Types that all internals share: the throttle as its manager sees it, decisions in one
 * number, the listener, permits that can be undone, and the checks of arguments, which
 * the API uses too. No other module may use this package or those below it, but for
 * {@code failover}, which is there for the stores on servers.
 * <p>
 * Uses the API alone. The packages below it, each of which uses those before it:
 * {@code line} (waiters), {@code memory} (keys and cells), {@code rate} and
 * {@code concurrency} (the two kinds of limit), {@code joint} (several limits in one
 * call), {@code manager}. {@code failover} uses none of them. Start at
 * {@link dev.sluice.throttle.internal.manager.DefaultThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle.internal;

import org.jspecify.annotations.NullMarked;
