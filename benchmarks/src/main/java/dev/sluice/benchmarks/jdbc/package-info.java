/** Limits in PostgreSQL under the same loads. */
@NullMarked
package dev.sluice.benchmarks.jdbc;

import org.jspecify.annotations.NullMarked;
