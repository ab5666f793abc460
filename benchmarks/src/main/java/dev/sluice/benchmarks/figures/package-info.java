/** Plots and tables of the results of suites. */
@NullMarked
package dev.sluice.benchmarks.figures;

import org.jspecify.annotations.NullMarked;
