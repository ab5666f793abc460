package dev.sluice.redis.bus.partition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.redis.connection.Connector;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.jspecify.annotations.Nullable;

/** Masters of a Redis Cluster, each with its own connections. */
public final class ClusterTopology implements Topology {

	/*
	 * The client of the cluster is not used for connections of the bus. Its connections
	 * repeat unanswered commands, and its subscriptions to sharded channels do not follow
	 * their slots (redis/lettuce#2940, #3213).
	 *
	 * A read of the topology waits for each server, or its timeout. The timeout of the
	 * client of the cluster may be a minute, in which a failover stays unnoticed. So that
	 * client only determines the servers at first, and after a read without any answer.
	 * Other reads use a client with a short timeout. It does not reconnect, so a command
	 * to a server that ends fails at once.
	 *
	 * One thread at a time reads the topology. Attacked by RedisClusterSlotsTests.
	 */

	/** Maximum time that a read waits for a connection, and for a reply. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final RedisClusterClient cluster;

	private final RedisClient client;

	/** Timeout of the client of the cluster, for the connections of the bus. */
	private volatile Duration timeout = PATIENCE;

	/** Client that reads the topology, while a known server answers. */
	private volatile @Nullable RedisClusterClient reader;

	public ClusterTopology(RedisClusterClient cluster) {
		this.cluster = cluster;
		this.client = RedisClient.create(cluster.getResources());
		this.client.setOptions(withoutReconnecting(cluster.getOptions()));
	}

	private static ClientOptions withoutReconnecting(ClientOptions options) {
		return ClientOptions.copyOf(options)
			.mutate()
			.autoReconnect(false)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.build();
	}

	@Override
	public boolean isCluster() {
		return true;
	}

	@Override
	public List<Shard> shards() {
		RedisClusterClient read = read();
		Map<RedisClusterNode, List<Integer>> masters = new LinkedHashMap<>();
		for (int partition : Partitions.all()) {
			RedisClusterNode master = read.getPartitions().getMasterBySlot(Partitions.slot(partition));
			if (master != null) {
				masters.computeIfAbsent(master, (unknown) -> new ArrayList<>()).add(partition);
			}
		}
		return masters.entrySet().stream().map((entry) -> shard(entry.getKey(), entry.getValue())).toList();
	}

	/** Reads the topology; returns the client that has it. */
	private RedisClusterClient read() {
		RedisClusterClient reader = this.reader;
		if (reader == null) {
			this.cluster.refreshPartitions();
			List<RedisURI> servers = this.cluster.getPartitions().stream().map(RedisClusterNode::getUri).toList();
			if (!servers.isEmpty()) {
				this.timeout = servers.get(0).getTimeout();
				this.reader = reader(servers);
			}
			return this.cluster;
		}
		try {
			reader.refreshPartitions();
			return reader;
		}
		catch (RedisException ex) {
			this.reader = null;
			reader.shutdownAsync();
			throw ex;
		}
	}

	private RedisClusterClient reader(List<RedisURI> servers) {
		RedisClusterClient reader = RedisClusterClient.create(this.cluster.getResources(),
				servers.stream().map((server) -> withTimeout(server, shorter(server.getTimeout()))).toList());
		ClusterClientOptions.Builder options = ClusterClientOptions.builder(this.cluster.getOptions());
		SocketOptions sockets = this.cluster.getOptions().getSocketOptions();
		reader.setOptions(options.autoReconnect(false)
			.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
			.socketOptions(sockets.mutate().connectTimeout(shorter(sockets.getConnectTimeout())).build())
			.topologyRefreshOptions(ClusterTopologyRefreshOptions.create())
			.build());
		return reader;
	}

	private static Duration shorter(Duration timeout) {
		return (timeout.compareTo(PATIENCE) < 0) ? timeout : PATIENCE;
	}

	private static RedisURI withTimeout(RedisURI server, Duration timeout) {
		return RedisURI.builder(server).withTimeout(timeout).build();
	}

	private Shard shard(RedisClusterNode master, List<Integer> partitions) {
		RedisURI uri = withTimeout(master.getUri(), this.timeout);
		return new Shard(uri.getHost() + ':' + uri.getPort() + ' ' + master.getNodeId(), Connector.of(this.client, uri),
				partitions);
	}

	@Override
	public void close() {
		RedisClusterClient reader = this.reader;
		if (reader != null) {
			reader.shutdownAsync();
		}
		this.client.shutdownAsync();
	}

}
