/**
 * Access to the database: statements, in the order of their keys and each with a timeout,
 * on threads of the store; the check of tables and functions; messages between nodes,
 * over {@code LISTEN}; and the encoding of texts for the functions.
 * <p>
 * Internal. This package uses JDBC and does not depend on limits. Start at
 * {@link dev.sluice.jdbc.connection.Database}.
 */
@NullMarked
package dev.sluice.jdbc.connection;

import org.jspecify.annotations.NullMarked;
