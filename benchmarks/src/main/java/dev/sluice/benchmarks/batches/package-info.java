/** Gatherers of batches under the same loads. */
@NullMarked
package dev.sluice.benchmarks.batches;

import org.jspecify.annotations.NullMarked;
