/** Bars: short, interleaved measurements against peers and floors, one line each. */
@NullMarked
package dev.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
