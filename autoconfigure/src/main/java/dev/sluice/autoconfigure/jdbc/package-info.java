/**
 * Store of limits in PostgreSQL, in the database of the application's {@code DataSource}.
 * <p>
 * Internal, except for the auto-configuration; uses {@code throttle} and
 * {@code properties}. Start at
 * {@link dev.sluice.autoconfigure.jdbc.SluiceJdbcAutoConfiguration}, then
 * {@code JdbcStoreConnections}.
 */
@NullMarked
package dev.sluice.autoconfigure.jdbc;

import org.jspecify.annotations.NullMarked;
