/**
 * Connections to Redis and the commands on them: reconnecting, timeouts, scripts, the
 * names of keys, the live nodes, confirmation by replicas, and pending releases.
 * <p>
 * Internal. Uses Lettuce and is independent of limits. Start at
 * {@link dev.sluice.redis.connection.RedisConnections}, then {@code Script}, which lists
 * the scripts of the server.
 */
@NullMarked
package dev.sluice.redis.connection;

import org.jspecify.annotations.NullMarked;
