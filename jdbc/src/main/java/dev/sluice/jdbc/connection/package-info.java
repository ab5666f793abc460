/**
 * The way to the database: statements, in the order of their keys and each in its time,
 * on threads of the store; the check that tables and functions are there; messages
 * between nodes, over {@code LISTEN}; and texts as the functions take them.
 * <p>
 * Internal. Uses JDBC and knows no limits. Start at
 * {@link dev.sluice.jdbc.connection.Database}.
 */
@NullMarked
package dev.sluice.jdbc.connection;

import org.jspecify.annotations.NullMarked;
