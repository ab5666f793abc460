/**
 * The contract that every {@link dev.sluice.bus.ClusterBus} must keep, for the tests of
 * buses. Start at {@link dev.sluice.test.cluster.ClusterBusContract}.
 */
@NullMarked
package dev.sluice.test.cluster;

import org.jspecify.annotations.NullMarked;
