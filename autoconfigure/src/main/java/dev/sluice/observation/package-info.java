/**
 * What traces show: the ways of messages through the queues of their sessions, and calls
 * that stand in line, and what nodes ask of each other.
 */
@NullMarked
package dev.sluice.observation;

import org.jspecify.annotations.NullMarked;
