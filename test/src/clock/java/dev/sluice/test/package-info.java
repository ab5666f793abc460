/**
 * What tests of limits and executors need: a clock that stands still until it is told to
 * advance.
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;
