package dev.sluice.redis.bus.partition;

import java.util.List;
import java.util.stream.IntStream;

import dev.sluice.redis.connection.KeyNames;
import io.lettuce.core.cluster.SlotHash;

/**
 * Partitions of all names. Each is in one slot of a Redis Cluster, which its tag
 * determines. A single server has the same partitions, so that its data can be moved to a
 * cluster.
 */
public final class Partitions {

	/*
	 * A node renews a lease in each partition with each heartbeat, so there are few; 24
	 * is divisible by 2, 3, 4, 6, 8 and 12 masters. The slot of a tag is in the middle of
	 * its part of the slots, so masters with equal numbers of slots have equal numbers of
	 * partitions. Attacked by PartitionsTests.
	 */

	private static final List<String> TAGS = List.of("8n", "bq", "ps", "ei", "3c", "3v", "md", "ss", "aq", "0c", "fi",
			"3w", "9v", "ci", "5c", "dq", "b7", "p5", "6v", "6c", "x8", "us", "s5", "a7");

	public static final int COUNT = TAGS.size();

	private Partitions() {
	}

	public static List<Integer> all() {
		return IntStream.range(0, COUNT).boxed().toList();
	}

	/** Returns the partition of a name. */
	public static int of(String name) {
		return SlotHash.getSlot(KeyNames.escape(name)) % COUNT;
	}

	/** Returns the tag in the names of keys and channels of a partition. */
	public static String tag(int partition) {
		return '{' + TAGS.get(partition) + '}';
	}

	public static int slot(int partition) {
		return SlotHash.getSlot(TAGS.get(partition));
	}

	/** Returns the partition whose tag a key or channel contains. */
	public static int in(String key) {
		return TAGS.indexOf(key.substring(key.indexOf('{') + 1, key.indexOf('}')));
	}

}
