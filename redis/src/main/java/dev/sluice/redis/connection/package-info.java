/**
 * Connections to Redis and what is sent on them: opening them again, commands and their
 * time-outs, scripts, the names of keys, the nodes that are alive, replicas that confirm,
 * and releases that Redis has not heard of yet.
 * <p>
 * Internal. Uses Lettuce and knows no limits. Start at
 * {@link dev.sluice.redis.connection.RedisConnections}, then {@code Script}, which lists
 * what runs on the server.
 */
@NullMarked
package dev.sluice.redis.connection;

import org.jspecify.annotations.NullMarked;
