/** Limits in Redis under the same loads. */
@NullMarked
package dev.sluice.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
