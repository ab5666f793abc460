/**
 * Orderings that the memory model allows, tried by the million; each forbidden outcome
 * says what it would mean.
 */
package dev.sluice.throttle.internal.rate;
