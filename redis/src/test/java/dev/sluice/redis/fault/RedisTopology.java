package dev.sluice.redis.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.sluice.redis.RedisCluster;
import dev.sluice.redis.RedisServer;
import dev.sluice.test.trial.FaultyProxy;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.internal.HostAndPort;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DnsResolvers;
import io.lettuce.core.resource.MappingSocketAddressResolver;

import static org.awaitility.Awaitility.await;

/**
 * Servers of which one takes the place of another, and the network on the way to each.
 */
abstract class RedisTopology implements AutoCloseable {

	private static final Duration CHANGED = Duration.ofSeconds(60);

	private final Map<Integer, FaultyProxy> networks = new ConcurrentHashMap<>();

	private final ClientResources resources = ClientResources.builder()
		.socketAddressResolver(MappingSocketAddressResolver.create(DnsResolvers.UNRESOLVED, this::proxied))
		.build();

	private HostAndPort proxied(HostAndPort address) {
		FaultyProxy network = this.networks.get(address.getPort());
		return (network != null) ? HostAndPort.of("127.0.0.1", network.port()) : address;
	}

	void reach(RedisServer server) {
		this.networks.computeIfAbsent(server.port(), FaultyProxy::to);
	}

	ClientResources resources() {
		return this.resources;
	}

	Collection<FaultyProxy> networks() {
		return this.networks.values();
	}

	/** Returns the network to one of the masters. */
	final FaultyProxy network(int master) {
		return this.networks.get(masterServers().get(master).port());
	}

	/** Returns the masters, before any of them fails. */
	abstract List<RedisServer> masterServers();

	/** Sends a command to all masters. */
	final void onMasters(CommandType command, String... arguments) {
		for (RedisServer master : masterServers()) {
			withConnection(master, (redis) -> {
				CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
				List.of(arguments).forEach(all::add);
				return redis.dispatch(command, new StatusOutput<>(StringCodec.UTF8), all).equals("OK");
			});
		}
	}

	long requests() {
		return networks().stream().mapToLong(FaultyProxy::requests).sum();
	}

	int connections() {
		return networks().stream().mapToInt(FaultyProxy::connections).sum();
	}

	abstract RedisAccess access();

	/** Returns the number of masters that the nodes use at a time. */
	abstract int masters();

	/** Returns a master that has a replica. */
	abstract RedisServer master();

	/** Kills that master; its replica takes its place, with all that it has. */
	abstract void failOver();

	/** Has all masters answer commands that write with an error. */
	abstract void refuseWrites();

	abstract void acceptWrites();

	/** Waits until the replica has all that its master has. */
	final void awaitReplicated() {
		withConnection(master(), (redis) -> redis.waitForReplication(1, CHANGED.toMillis()) > 0);
	}

	static void withConnection(RedisServer server, Question question) {
		RedisClient client = server.client();
		try {
			await().atMost(CHANGED).ignoreExceptionsInstanceOf(RedisException.class).until(() -> {
				try (StatefulRedisConnection<String, String> connection = client.connect()) {
					return question.ask(connection.sync());
				}
			});
		}
		finally {
			client.shutdown(0, 1, TimeUnit.SECONDS);
		}
	}

	static void awaitInfo(RedisServer server, String info) {
		withConnection(server, (redis) -> redis.info().contains(info));
	}

	final void close(AbstractRedisClient client) throws IOException {
		client.shutdown(0, 1, TimeUnit.SECONDS);
		this.resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
		for (FaultyProxy network : networks()) {
			network.close();
		}
	}

	@Override
	public abstract void close() throws IOException;

	/** Question to a server, asked until it is answered with {@code true}. */
	interface Question {

		boolean ask(RedisCommands<String, String> redis);

	}

	/** A master, its replica, and a sentinel. */
	static final class Sentinel extends RedisTopology {

		private final RedisServer master = RedisServer.start();

		private final RedisServer replica = RedisServer.startReplicaOf(this.master);

		private final RedisServer sentinel;

		private final RedisClient client;

		Sentinel(Path directory) {
			reach(this.master);
			reach(this.replica);
			awaitInfo(this.replica, "master_link_status:up");
			this.sentinel = RedisServer.startSentinel(directory, "limits", this.master);
			awaitInfo(this.sentinel, "slaves=1");
			this.client = RedisClient.create(resources(),
					RedisURI.builder()
						.withSentinel("127.0.0.1", this.sentinel.port())
						.withSentinelMasterId("limits")
						.build());
			this.client.setOptions(ClientOptions.builder().autoReconnect(false).build());
		}

		@Override
		RedisAccess access() {
			return RedisAccess.of(this.client);
		}

		@Override
		int masters() {
			return 1;
		}

		@Override
		RedisServer master() {
			return this.master;
		}

		@Override
		List<RedisServer> masterServers() {
			return List.of(this.master);
		}

		@Override
		void failOver() {
			this.master.kill();
			awaitInfo(this.replica, "role:master");
		}

		/** The master becomes a replica; the sentinel bears that for some time. */
		@Override
		void refuseWrites() {
			onMasters(CommandType.REPLICAOF, "127.0.0.1", "1");
		}

		@Override
		void acceptWrites() {
			onMasters(CommandType.REPLICAOF, "NO", "ONE");
		}

		@Override
		public void close() throws IOException {
			close(this.client);
			this.sentinel.close();
			this.replica.close();
			this.master.close();
		}

	}

	/** Three masters, one with a replica. */
	static final class Cluster extends RedisTopology {

		private final RedisCluster cluster;

		private final int replica;

		private final RedisClusterClient client;

		Cluster(Path directory) {
			this.cluster = new RedisCluster(directory);
			this.replica = this.cluster.addReplica(0);
			for (int i = 0; i <= this.replica; i++) {
				reach(this.cluster.server(i));
			}
			this.client = RedisClusterClient.create(resources(), RedisURI.create("127.0.0.1", this.cluster.port()));
		}

		@Override
		RedisAccess access() {
			return RedisAccess.of(this.client);
		}

		@Override
		int masters() {
			return 3;
		}

		@Override
		RedisServer master() {
			return this.cluster.server(0);
		}

		@Override
		List<RedisServer> masterServers() {
			return IntStream.range(0, masters()).mapToObj(this.cluster::server).toList();
		}

		@Override
		void failOver() {
			this.cluster.failOver(0, this.replica);
		}

		/** Masters of a cluster cannot become replicas, but can miss some. */
		@Override
		void refuseWrites() {
			onMasters(CommandType.CONFIG, "SET", "min-replicas-to-write", "9");
		}

		@Override
		void acceptWrites() {
			onMasters(CommandType.CONFIG, "SET", "min-replicas-to-write", "0");
		}

		@Override
		public void close() throws IOException {
			close(this.client);
			this.cluster.close();
		}

	}

}
