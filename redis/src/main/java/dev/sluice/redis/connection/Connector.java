package dev.sluice.redis.connection;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

/**
 * Factory of connections to one server, or to a cluster.
 *
 * @param connections the factory of connections for commands
 * @param subscriptions the factory of connections for messages
 * @param isCluster whether there are several masters
 */
public record Connector(Supplier<Connection> connections,
		Supplier<? extends StatefulRedisPubSubConnection<String, String>> subscriptions, boolean isCluster) {

	public static Connector of(RedisClient client) {
		return new Connector(() -> closedWhenLost(client.connect(TextCodec.UTF8)),
				() -> client.connectPubSub(TextCodec.UTF8), false);
	}

	/** Returns a factory of connections to one of several servers. */
	public static Connector of(RedisClient client, RedisURI server) {
		return new Connector(() -> closedWhenLost(client.connect(TextCodec.UTF8, server)),
				() -> client.connectPubSub(TextCodec.UTF8, server), false);
	}

	private static Connection closedWhenLost(StatefulRedisConnection<String, String> connection) {
		connection.addListener(new ClosedWhenLost(connection));
		return new Connection(connection, connection.async());
	}

	public static Connector of(RedisClusterClient client) {
		return new Connector(() -> connect(client), () -> client.connectPubSub(TextCodec.UTF8), true);
	}

	private static Connection connect(RedisClusterClient client) {
		StatefulRedisClusterConnection<String, String> connection = client.connect(TextCodec.UTF8);
		return new Connection(connection, connection.async());
	}

	static CompletableFuture<Void> close(@Nullable StatefulConnection<String, String> connection) {
		return (connection == null || isClosed(connection)) ? CompletableFuture.completedFuture(null)
				: connection.closeAsync();
	}

	/** Returns the failure of a command whose connection is closed before its reply. */
	static RedisException connectionClosed() {
		return new RedisException("Connection closed");
	}

	/**
	 * Returns whether Sluice has closed a connection; closing it again logs a warning.
	 */
	private static boolean isClosed(StatefulConnection<String, String> connection) {
		return connection instanceof RedisChannelHandler<?, ?> handler && handler.isClosed();
	}

	/**
	 * Closes a lost connection, so that its client does not reopen it. A client repeats
	 * unanswered commands, and a script would run twice.
	 *
	 * @param connection the connection to one server
	 */
	private record ClosedWhenLost(
			StatefulConnection<String, String> connection) implements RedisConnectionStateListener {

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
			Connector.close(this.connection);
		}

	}

	/**
	 * Connection for commands.
	 *
	 * @param channel the underlying connection
	 * @param commands the commands on it
	 * @param sent the scripts whose text was sent on it
	 * @param unanswered the results of the commands without a reply, and the times at
	 * which these were sent
	 * @param latest the time at which the latest command with a reply was sent
	 */
	record Connection(StatefulConnection<String, String> channel, RedisClusterAsyncCommands<String, String> commands,
			Set<Script> sent, Map<CompletableFuture<?>, Long> unanswered, AtomicLong latest) {

		/*
		 * A command is recorded as unanswered before its reply is handled, so no command
		 * with a reply stays recorded. The latest time never goes back. Attacked by
		 * RedisBlackHoleHostileTests and RedisResentCommandTests.
		 */

		Connection(StatefulConnection<String, String> channel, RedisClusterAsyncCommands<String, String> commands) {
			this(channel, commands, ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>(),
					new AtomicLong(System.nanoTime()));
		}

		/** Records the reply to a command. */
		void answered(CompletableFuture<?> result, long sentAt) {
			this.unanswered.remove(result);
			this.latest.accumulateAndGet(sentAt, (known, added) -> (added - known > 0) ? added : known);
		}

		/**
		 * Fails all commands without a reply, as there is none on a closed connection. A
		 * client may lose a command that is sent while its connection is closed.
		 */
		void failUnanswered() {
			this.unanswered.keySet()
				.forEach((result) -> result.completeExceptionally(RedisErrors.unavailable(connectionClosed())));
		}

		/**
		 * Returns whether a command has had no reply for a time in nanoseconds, although
		 * a later one has. A server that pauses answers them in their order.
		 */
		boolean isSilentFor(long nanos) {
			long now = System.nanoTime();
			return this.unanswered.values()
				.stream()
				.anyMatch((sentAt) -> now - sentAt >= nanos && this.latest.get() - sentAt > 0);
		}

	}

}
