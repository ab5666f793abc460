package dev.sluice.redis.bus.partition;

import java.util.List;
import java.util.stream.Stream;

import dev.sluice.redis.connection.Channels;

/**
 * Names of channels of the bus: of a node and of all nodes, and in a cluster with sharded
 * channels both of each partition. Scripts recognize sharded channels by the tag. <pre>
 * sluice:bus:node:x4k2m9qa        messages for one node
 * sluice:bus:all                  messages for all
 * sluice:bus:{3v}node:x4k2m9qa    sharded: messages for one node from a partition
 * sluice:bus:{3v}all              sharded: messages for all from a partition
 * </pre>
 *
 * @param prefix the prefix of all names
 * @param isSharded whether each partition has channels of its own
 */
public record BusChannels(String prefix, boolean isSharded) {

	private String start(int partition) {
		return this.prefix + "bus:" + (this.isSharded ? Partitions.tag(partition) : "");
	}

	/** Returns the prefix of the channels of nodes. */
	public String nodes(int partition) {
		return start(partition) + "node:";
	}

	public String node(int partition, String node) {
		return nodes(partition) + node;
	}

	public String all(int partition) {
		return start(partition) + "all";
	}

	/** Returns the channels of a node for partitions, in groups that move together. */
	public Channels receivedBy(String node, List<Integer> partitions) {
		Stream<Integer> parts = this.isSharded ? partitions.stream() : partitions.stream().limit(1);
		return new Channels(parts.map((partition) -> List.of(node(partition, node), all(partition))).toList(),
				this.isSharded);
	}

	/** Returns the partitions whose messages a channel carries. */
	public List<Integer> partitionsOf(String channel) {
		return this.isSharded ? List.of(Partitions.in(channel)) : Partitions.all();
	}

}
