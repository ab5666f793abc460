package dev.sluice.redis.bus;

import java.util.List;

import dev.sluice.redis.connection.Connector;

/** Servers of the bus. */
interface Topology {

	/** Returns whether there are several servers, and partitions may move. */
	boolean isCluster();

	/**
	 * Returns which servers there are now, and which partitions are at each; blocks.
	 * @throws io.lettuce.core.RedisException if that cannot be known
	 */
	List<Shard> shards();

	/** Closes what was opened for connections. */
	default void close() {
	}

	/** Returns one server, which has all partitions. */
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
	 * @param address tells it from others
	 * @param connector connects to it
	 * @param partitions that are there
	 */
	record Shard(String address, Connector connector, List<Integer> partitions) {
	}

}
