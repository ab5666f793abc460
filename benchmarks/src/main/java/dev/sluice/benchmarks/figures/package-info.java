/** Plots and tables of what suites have measured. */
@NullMarked
package dev.sluice.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
