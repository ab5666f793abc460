/** Bean methods behind limits, as annotations put them there. */
@NullMarked
package dev.sluice.benchmarks.annotations;

import org.jspecify.annotations.NullMarked;
