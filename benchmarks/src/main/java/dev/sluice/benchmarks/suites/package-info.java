/** The suites of bars by name, and the program that measures them. */
@NullMarked
package dev.sluice.benchmarks.suites;

import org.jspecify.annotations.NullMarked;
