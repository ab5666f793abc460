/**
 * The contract that every {@link dev.sluice.throttle.store.ThrottleStore} must keep, for
 * the tests of stores. Start at {@link dev.sluice.test.store.ThrottleStoreContract}.
 */
@NullMarked
package dev.sluice.test.store;

import org.jspecify.annotations.NullMarked;
