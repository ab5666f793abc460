/**
 * SPI of stores that many nodes share, as the modules {@code sluice-redis} and
 * {@code sluice-jdbc} implement it. A manager that was given a
 * {@link dev.sluice.throttle.store.ThrottleStore} asks it to open each limit, and from
 * then on asks what was opened.
 * <p>
 * Start at {@link dev.sluice.throttle.store.ThrottleStore}, and test an implementation by
 * the contract suite in {@code sluice-test}. Uses the API and, for the store in memory,
 * the internals of the manager.
 */
@NullMarked
package dev.sluice.throttle.store;

import org.jspecify.annotations.NullMarked;
