/**
 * Limits, permits and the line in front of them. Start at
 * {@link dev.sluice.throttle.ThrottlingManager}.
 */
@NullMarked
package dev.sluice.throttle;

import org.jspecify.annotations.NullMarked;
