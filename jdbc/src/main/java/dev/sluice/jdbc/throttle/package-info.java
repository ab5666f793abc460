/**
 * Limits in the database: the definition that all nodes share, calls that one statement
 * decides together, waiting calls and held permits. Each node has one register of its
 * permits ({@code Holdings}), one of its calls in line ({@code Lines}) and one of its
 * unconfirmed releases ({@code Releases}), for all limits. The other objects belong to
 * one limit.
 * <p>
 * Internal. Uses {@code connection}. Start at
 * {@link dev.sluice.jdbc.throttle.JdbcThrottle}, then {@code WaitingCalls}, and
 * {@code Replies}, which lists the answers of the functions.
 */
@NullMarked
package dev.sluice.jdbc.throttle;

import org.jspecify.annotations.NullMarked;
