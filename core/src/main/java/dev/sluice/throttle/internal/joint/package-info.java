/**
 * Calls for several limits at once, all or none: those in memory in one step under the
 * guards of all, those in a store one by one with a refund if a later one rejects; and
 * the wait for them, which holds nothing.
 * <p>
 * Uses {@code memory} and {@code line}; knows a limit in a store as a
 * {@code ManagedThrottle} only. Start at
 * {@link dev.sluice.throttle.internal.joint.JointRequest}, which sorts the limits, then
 * {@link dev.sluice.throttle.internal.joint.JointMemoryStep} for a call that comes,
 * {@link dev.sluice.throttle.internal.joint.JointTurn} for one that is first in line, and
 * {@link dev.sluice.throttle.internal.joint.JointStoreRounds} for limits in a store.
 */
@NullMarked
package dev.sluice.throttle.internal.joint;

import org.jspecify.annotations.NullMarked;
