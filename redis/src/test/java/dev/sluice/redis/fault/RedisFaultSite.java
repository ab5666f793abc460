package dev.sluice.redis.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.sluice.redis.RedisServer;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

import static org.awaitility.Awaitility.await;

/** A server, the network on the way to it, and a user whom no fault concerns. */
final class RedisFaultSite implements AutoCloseable {

	private static final Duration NOTICED = Duration.ofSeconds(3);

	private RedisServer server = RedisServer.start();

	private final FaultyProxy network = FaultyProxy.to(this.server.port());

	private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + this.network.port());

	private final RedisClient operator = RedisClient.create();

	private StatefulRedisConnection<String, String> connection;

	RedisFaultSite() {
		this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		this.operator.setOptions(this.client.getOptions());
		this.connection = connect();
	}

	private StatefulRedisConnection<String, String> connect() {
		RedisURI uri = RedisURI.create("127.0.0.1", this.server.port());
		try (StatefulRedisConnection<String, String> first = this.operator.connect(uri)) {
			dispatch(first, CommandType.ACL, "SETUSER", "operator", "on", ">secret", "~*", "&*", "+@all");
		}
		uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just("operator", "secret")));
		return this.operator.connect(uri);
	}

	RedisServer server() {
		return this.server;
	}

	FaultyProxy network() {
		return this.network;
	}

	/** Returns the client of the users, which reaches the server by the network. */
	RedisClient client() {
		return this.client;
	}

	RedisAccess access() {
		return RedisAccess.of(this.client);
	}

	RedisCommands<String, String> redis() {
		return this.connection.sync();
	}

	/** Pauses commands for a time, which begins when the pause has been noticed. */
	void pause(Duration time, String commands) {
		dispatch(this.connection, CommandType.CLIENT, "PAUSE", "" + time.plus(NOTICED).toMillis(), commands);
	}

	void acl(String... arguments) {
		dispatch(this.connection, CommandType.ACL, arguments);
	}

	private static void dispatch(StatefulRedisConnection<String, String> connection, CommandType command,
			String... arguments) {
		CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
		List.of(arguments).forEach(all::add);
		connection.sync().dispatch(command, new StatusOutput<>(StringCodec.UTF8), all);
	}

	/** Kills the server when another one has a copy of all that it knows. */
	void killMaster() {
		RedisServer replica = RedisServer.startReplicaOf(this.server);
		await().until(() -> redis().info("replication").contains("state=online"));
		redis().waitForReplication(1, 10_000);
		this.server.kill();
		this.server = replica;
	}

	/** Makes the copy the server that clients reach. */
	void promoteReplica() {
		becomeMaster();
		this.network.redirect(this.server.port());
	}

	/**
	 * Starts the server again, empty; one that was a copy is none. It may close
	 * connections when it becomes that.
	 */
	void restart() {
		this.server.restart();
		becomeMaster();
	}

	private void becomeMaster() {
		await().ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
			this.connection = connect();
			return redis().replicaofNoOne().equals("OK") && redis().info("replication").contains("role:master");
		});
	}

	@Override
	public void close() throws IOException {
		this.client.shutdown();
		this.operator.shutdown();
		this.network.close();
		this.server.close();
	}

}
