/**
 * Store of limits in PostgreSQL.
 */
@NullMarked
package dev.sluice.jdbc;

import org.jspecify.annotations.NullMarked;
