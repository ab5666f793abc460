/**
 * The one source of time for executors, limits and batches.
 */
@NullMarked
package dev.sluice.time;

import org.jspecify.annotations.NullMarked;
