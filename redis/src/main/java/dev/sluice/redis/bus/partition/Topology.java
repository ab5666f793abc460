package dev.sluice.redis.bus.partition;

import java.util.List;

import dev.sluice.redis.connection.Connector;

/** Servers of the bus. */
public interface Topology {

	/** Returns whether there are several servers, so that partitions may move. */
	boolean isCluster();

	/**
	 * Returns the present servers with their partitions; blocks.
	 * @throws io.lettuce.core.RedisException if the servers cannot be determined
	 */
	List<Shard> shards();

	/** Releases the resources of connections. */
	default void close() {
	}

	/** Returns a topology of one server, which has all partitions. */
	static Topology of(Connector server) {
		return new Topology() {

			@Override
			public boolean isCluster() {
				return false;
			}

			@Override
			public List<Shard> shards() {
				return List.of(new Shard("", server, Partitions.all()));
			}

		};
	}

	/**
	 * Server that has partitions.
	 *
	 * @param address the address, which identifies it
	 * @param connector the connector to it
	 * @param partitions its partitions
	 */
	record Shard(String address, Connector connector, List<Integer> partitions) {
	}

}
