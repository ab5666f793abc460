/**
 * Limits in the database, the line, and what is held.
 */
@NullMarked
package dev.sluice.jdbc.throttle;

import org.jspecify.annotations.NullMarked;
