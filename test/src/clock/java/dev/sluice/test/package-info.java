/**
 * What tests of limits, executors and stores need: a clock that stands still until it is
 * told to advance, and the contract that every store must meet.
 */
@NullMarked
package dev.sluice.test;

import org.jspecify.annotations.NullMarked;
