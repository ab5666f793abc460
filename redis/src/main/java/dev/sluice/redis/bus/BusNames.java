package dev.sluice.redis.bus;

import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.KeyNames;

/**
 * Names of the keys of the bus. The tag of a partition, such as <code>{8n}</code>, is the
 * hash tag of the keys of all names in it: <pre>
 * sluice:bus:{8n}format           format of the data, number of partitions, kind of
 * channels
 * sluice:bus:{3v}nodes            sorted set: live nodes and the ends of their leases
 * sluice:bus:{3v}{t:room-7}       list: position, last millisecond, size and payload of each message
 * sluice:bus:{3v}{t:room-7}:top   position of the latest message, or the start
 * sluice:bus:{3v}{t:room-7}:in    hash: the places of each node that has joined
 * sluice:bus:{3v}{t:room-7}:who   hash: the nodes at which each member is present
 * sluice:bus:{3v}{Zk3v9QxW}:session  record of a session that may be resumed
 * </pre>
 *
 * @param prefix the prefix of all names
 */
record BusNames(String prefix) {

	private String start(int partition) {
		return this.prefix + "bus:" + Partitions.tag(partition);
	}

	String format() {
		return start(BusFormat.PARTITION) + "format";
	}

	/** Returns the key that is written before waiting for replicas. */
	String confirmed() {
		return start(BusFormat.PARTITION) + "confirmed";
	}

	String nodes(int partition) {
		return start(partition) + "nodes";
	}

	private String of(String name) {
		return start(Partitions.of(name)) + '{' + KeyNames.escape(name) + '}';
	}

	/** Returns the keys of history, position, joined nodes, live nodes and members. */
	String[] published(String name) {
		int partition = Partitions.of(name);
		String of = start(partition) + '{' + KeyNames.escape(name) + '}';
		return new String[] { of, of + ":top", of + ":in", nodes(partition), of + ":who" };
	}

	/** Returns the keys of history and position. */
	String[] read(String name) {
		String of = of(name);
		return new String[] { of, of + ":top" };
	}

	/** Returns the keys of joined nodes, position, members and live nodes. */
	String[] joined(String name) {
		String[] keys = published(name);
		return new String[] { keys[2], keys[1], keys[4], keys[3] };
	}

	/** Returns the keys of joined nodes and live nodes. */
	String[] routed(String name) {
		String[] keys = published(name);
		return new String[] { keys[2], keys[3] };
	}

	String present(String name) {
		return of(name) + ":who";
	}

	String session(String key) {
		return of(key) + ":session";
	}

}
