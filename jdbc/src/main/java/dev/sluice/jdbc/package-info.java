/**
 * Limits that many nodes share over PostgreSQL. Start at
 * {@link dev.sluice.jdbc.JdbcThrottleStore}.
 * <p>
 * The packages below this one are internal. The fail-over of core decides whether a call
 * is sent to the database. If so, the call passes through {@code throttle} to
 * {@code connection}, which runs one function of {@code schema-postgresql.sql}, next to
 * this package. The function decides on the permits of the call.
 */
@NullMarked
package dev.sluice.jdbc;

import org.jspecify.annotations.NullMarked;
