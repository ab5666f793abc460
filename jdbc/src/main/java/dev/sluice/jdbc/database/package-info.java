/**
 * Statements: the threads they run on, how long they may take, and whether the database
 * counts as available.
 * <p>
 * Internal. Start at {@link dev.sluice.jdbc.database.Database}.
 */
@NullMarked
package dev.sluice.jdbc.database;

import org.jspecify.annotations.NullMarked;
