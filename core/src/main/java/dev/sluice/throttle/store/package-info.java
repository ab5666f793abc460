/**
 * SPI of stores that several nodes share, implemented by the modules {@code sluice-redis}
 * and {@code sluice-jdbc}. A manager with a
 * {@link dev.sluice.throttle.store.ThrottleStore} opens each limit in it, and then sends
 * each request to the opened limit.
 * <p>
 * Start at {@link dev.sluice.throttle.store.ThrottleStore}, and test an implementation
 * with the contract suite in {@code sluice-test}. Uses the API and, for the store in
 * memory, the internals of limits in memory.
 */
@NullMarked
package dev.sluice.throttle.store;

import org.jspecify.annotations.NullMarked;
