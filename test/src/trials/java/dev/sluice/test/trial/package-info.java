/**
 * Trials of rates and of text, in memory and of servers. Not part of the library: they
 * are compiled with the tests of the modules that use them.
 */
@NullMarked
package dev.sluice.test.trial;

import org.jspecify.annotations.NullMarked;
