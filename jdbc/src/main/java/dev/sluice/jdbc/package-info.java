/**
 * Limits that many nodes share, in PostgreSQL. Start at
 * {@link dev.sluice.jdbc.JdbcThrottleStore}; the tables and functions are in
 * {@code schema-postgresql.sql} beside it.
 */
@NullMarked
package dev.sluice.jdbc;

import org.jspecify.annotations.NullMarked;
