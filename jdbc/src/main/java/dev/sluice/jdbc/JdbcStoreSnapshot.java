package dev.sluice.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.throttle.FailurePolicy;

/**
 * State of a store, as one node sees it.
 *
 * @param unavailable whether the database does not answer in time at present
 * @param nodes how many nodes share it, this one included
 * @param closed the limits whose calls are rejected while it is unavailable, sorted
 * @param answered statements that were answered
 * @param answerTime the time that those took, all together
 * @param failed statements that failed, or took too long
 * @param admitted calls admitted without the database, by policy
 * @param rejected calls rejected without the database, by policy
 * @since 0.1.0
 */
public record JdbcStoreSnapshot(boolean unavailable, int nodes, List<String> closed, long answered, Duration answerTime,
		long failed, Map<FailurePolicy, Long> admitted, Map<FailurePolicy, Long> rejected) {

	public JdbcStoreSnapshot {
		closed = List.copyOf(closed);
		admitted = Map.copyOf(admitted);
		rejected = Map.copyOf(rejected);
	}

}
