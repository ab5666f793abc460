/**
 * Trials of rates, in memory and of stores that are servers. Not part of the library:
 * they are compiled with the tests of core and of each such store.
 */
@NullMarked
package dev.sluice.test.trial;

import org.jspecify.annotations.NullMarked;
