package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Leases of the nodes, by the clock of this one since the server has told. */
final class NodeLease {

	/*
	 * The server tells for how long each node still lives; that time begins here when the
	 * question was sent, so a node is never believed for longer than the server does, but
	 * for the way of the answer. A node that has beaten meanwhile is told of at the next
	 * beat, which comes before its lease is over.
	 *
	 * Attacked by RedisClusterBusTests.
	 */

	private volatile Map<String, Long> ends = Map.of();

	/**
	 * Takes what the server has told.
	 * @param nodes names and remaining milliseconds in turn
	 * @param askedAt when it was asked
	 */
	void heard(List<Object> nodes, long askedAt) {
		Map<String, Long> heard = new HashMap<>();
		for (int index = 0; index < nodes.size(); index += 2) {
			heard.put((String) nodes.get(index),
					askedAt + Duration.ofMillis(Long.parseLong((String) nodes.get(index + 1))).toNanos());
		}
		this.ends = heard;
	}

	Set<String> alive() {
		long now = System.nanoTime();
		return this.ends.entrySet()
			.stream()
			.filter((entry) -> entry.getValue() - now > 0)
			.map(Map.Entry::getKey)
			.collect(Collectors.toUnmodifiableSet());
	}

}
