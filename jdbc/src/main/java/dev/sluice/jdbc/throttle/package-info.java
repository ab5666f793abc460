/**
 * Limits in the database: their definitions, the calls that wait for them here, the
 * permits that are held here, and what happens while the database is unavailable.
 * <p>
 * Internal. Uses {@code database}. Start at
 * {@link dev.sluice.jdbc.throttle.JdbcThrottle}.
 */
@NullMarked
package dev.sluice.jdbc.throttle;

import org.jspecify.annotations.NullMarked;
