/**
 * Calls for several limits at once, all or none. Limits in memory are acquired in one
 * step under all guards, limits in a store one by one with a refund if a later one
 * rejects. A waiting call holds no permits.
 * <p>
 * Uses {@code memory} and {@code line}; accesses a limit in a store only as a
 * {@code ManagedThrottle}. Start at
 * {@link dev.sluice.throttle.internal.joint.JointRequest}, which sorts the limits, then
 * {@link dev.sluice.throttle.internal.joint.JointMemoryStep} for a new call,
 * {@link dev.sluice.throttle.internal.joint.JointTurn} for one that is first in line, and
 * {@link dev.sluice.throttle.internal.joint.JointStoreRounds} for limits in a store.
 */
@NullMarked
package dev.sluice.throttle.internal.joint;

import org.jspecify.annotations.NullMarked;
