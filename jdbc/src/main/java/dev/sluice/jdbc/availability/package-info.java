/**
 * Decisions while the database is unavailable.
 */
@NullMarked
package dev.sluice.jdbc.availability;

import org.jspecify.annotations.NullMarked;
