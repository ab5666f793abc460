/**
 * Statements to the database, on threads of the store.
 */
@NullMarked
package dev.sluice.jdbc.connection;

import org.jspecify.annotations.NullMarked;
