package dev.sluice.redis.connection;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/** Factory of connections to one server, or to a cluster. */
public interface Connector {

	/** Opens a connection for commands. */
	Connection connect();

	/** Returns whether there are several masters. */
	boolean isCluster();

	/** Opens a connection for messages. */
	StatefulRedisPubSubConnection<String, String> subscribe();

	static Connector of(RedisClient client) {
		return new Connector() {

			@Override
			public Connection connect() {
				StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
				connection.addListener(new ClosedWhenLost(connection));
				return new Connection(connection, connection.async());
			}

			@Override
			public StatefulRedisPubSubConnection<String, String> subscribe() {
				return client.connectPubSub(StringCodec.UTF8);
			}

			@Override
			public boolean isCluster() {
				return false;
			}

		};
	}

	static Connector of(RedisClusterClient client) {
		return new Connector() {

			@Override
			public Connection connect() {
				StatefulRedisClusterConnection<String, String> connection = client.connect(StringCodec.UTF8);
				return new Connection(connection, connection.async());
			}

			@Override
			public StatefulRedisPubSubConnection<String, String> subscribe() {
				return client.connectPubSub(StringCodec.UTF8);
			}

			@Override
			public boolean isCluster() {
				return true;
			}

		};
	}

	/**
	 * Closes a connection that is lost, so that its client does not open it again: a
	 * client sends anew what has no answer, and a script would be run twice.
	 *
	 * @param connection to one server
	 */
	record ClosedWhenLost(StatefulConnection<String, String> connection) implements RedisConnectionStateListener {

		@Override
		public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
			this.connection.closeAsync();
		}

	}

	/**
	 * Connection for commands.
	 *
	 * @param channel carries the commands
	 * @param commands that can be sent
	 * @param sent the scripts that were sent on it in full
	 */
	record Connection(StatefulConnection<String, String> channel, RedisClusterAsyncCommands<String, String> commands,
			Set<Script> sent) {

		Connection(StatefulConnection<String, String> channel, RedisClusterAsyncCommands<String, String> commands) {
			this(channel, commands, ConcurrentHashMap.newKeySet());
		}

	}

}
