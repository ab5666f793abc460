package dev.sluice.redis.bus;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Leases of all nodes, by the clock of this node. */
final class NodeLease {

	/*
	 * The server returns the remaining time of each lease. That time counts from the
	 * sending of the command, so a lease ends here no later than on the server, apart
	 * from the transit time of the command. A lease that is renewed in the meantime is
	 * read with the next heartbeat, before it would expire here.
	 *
	 * Attacked by RedisClusterBusTests.
	 */

	private volatile Map<String, Long> ends = Map.of();

	/**
	 * Takes the leases from a reply of the server.
	 * @param nodes alternating names and remaining milliseconds
	 * @param askedAt the time at which the command was sent
	 */
	void received(List<Object> nodes, long askedAt) {
		Map<String, Long> leases = new HashMap<>();
		for (int index = 0; index < nodes.size(); index += 2) {
			leases.put((String) nodes.get(index),
					askedAt + Duration.ofMillis(Long.parseLong((String) nodes.get(index + 1))).toNanos());
		}
		this.ends = leases;
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
