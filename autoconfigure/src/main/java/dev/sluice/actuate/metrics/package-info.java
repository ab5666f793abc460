/**
 * Meters of executors, limits, batches, the journal, the cluster and the store in Redis.
 * The binders are public, for executors and limits that are not beans.
 * <p>
 * Start at {@link dev.sluice.actuate.metrics.SluiceMetricsAutoConfiguration}, then
 * {@link dev.sluice.actuate.metrics.ExecutionMetrics}.
 */
@NullMarked
package dev.sluice.actuate.metrics;

import org.jspecify.annotations.NullMarked;
