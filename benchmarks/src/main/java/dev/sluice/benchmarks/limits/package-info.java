/** Limiters under the same loads. */
@NullMarked
package dev.sluice.benchmarks.limits;

import org.jspecify.annotations.NullMarked;
