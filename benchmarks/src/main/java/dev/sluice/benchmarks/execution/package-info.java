/** Keyed, ordered executors under the same loads. */
@NullMarked
package dev.sluice.benchmarks.execution;

import org.jspecify.annotations.NullMarked;
