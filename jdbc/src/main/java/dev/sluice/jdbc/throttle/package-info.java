/**
 * Limits in the database: the definition that all nodes agree on, calls that one
 * statement decides together, calls that wait, and permits that are held. Of each node
 * there is one register of what it holds ({@code Holdings}) and one of its calls in line
 * ({@code Lines}), for all limits; a limit has the rest.
 * <p>
 * Internal. Uses {@code connection}. Start at
 * {@link dev.sluice.jdbc.throttle.JdbcThrottle}, then {@code WaitingCalls}, and
 * {@code Replies}, which lists what functions answer.
 */
@NullMarked
package dev.sluice.jdbc.throttle;

import org.jspecify.annotations.NullMarked;
