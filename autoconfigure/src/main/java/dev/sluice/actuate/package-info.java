/**
 * What operators see: the endpoint {@code throttling}.
 */
@NullMarked
package dev.sluice.actuate;

import org.jspecify.annotations.NullMarked;
