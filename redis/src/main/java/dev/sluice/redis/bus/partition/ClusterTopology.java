package dev.sluice.redis.bus.partition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.sluice.redis.connection.Connector;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;

/** Masters of a Redis Cluster, each with its own connections. */
public final class ClusterTopology implements Topology {

	/*
	 * The client of the cluster is used only to list the masters. Its own connections
	 * repeat unanswered commands, and its subscriptions to sharded channels do not follow
	 * their slots (redis/lettuce#2940, #3213).
	 */

	private final RedisClusterClient cluster;

	private final RedisClient client;

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
		this.cluster.refreshPartitions();
		Map<RedisClusterNode, List<Integer>> masters = new LinkedHashMap<>();
		for (int partition : Partitions.all()) {
			RedisClusterNode master = this.cluster.getPartitions().getMasterBySlot(Partitions.slot(partition));
			if (master != null) {
				masters.computeIfAbsent(master, (unknown) -> new ArrayList<>()).add(partition);
			}
		}
		return masters.entrySet().stream().map((entry) -> shard(entry.getKey(), entry.getValue())).toList();
	}

	private Shard shard(RedisClusterNode master, List<Integer> partitions) {
		RedisURI uri = master.getUri();
		return new Shard(uri.getHost() + ':' + uri.getPort() + ' ' + master.getNodeId(), Connector.of(this.client, uri),
				partitions);
	}

	@Override
	public void close() {
		this.client.shutdownAsync();
	}

}
