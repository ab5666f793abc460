/**
 * Limits that many nodes share, over PostgreSQL. Start at
 * {@link dev.sluice.jdbc.JdbcThrottleStore}.
 * <p>
 * The packages below this one are internal. A call goes from the fail-over of core, which
 * decides whether the database is asked, to {@code throttle}, and from there to
 * {@code connection}, which runs one function of {@code schema-postgresql.sql} beside
 * this package: what a call is granted is decided there.
 */
@NullMarked
package dev.sluice.jdbc;

import org.jspecify.annotations.NullMarked;
