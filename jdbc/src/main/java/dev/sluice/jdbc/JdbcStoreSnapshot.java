package dev.sluice.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.throttle.FailurePolicy;

/**
 * State of a {@link JdbcThrottleStore} at one instant, as seen by this node. Counts are
 * since the store was built.
 *
 * @param unavailable whether calls are not put to the database now, because it cannot be
 * reached, or does not answer in time
 * @param nodes how many nodes there were, this one included, when last the database was
 * heard
 * @param closed names of the limits of which calls are rejected while the database is
 * unavailable
 * @param answered statements that were answered
 * @param answerTime how long those took together
 * @param failed statements that failed or were not answered in time
 * @param admitted calls that were admitted without the database, by policy
 * @param rejected calls that were rejected without the database, by policy
 * @since 0.1.0
 */
public record JdbcStoreSnapshot(boolean unavailable, int nodes, List<String> closed, long answered, Duration answerTime,
		long failed, Map<FailurePolicy, Long> admitted, Map<FailurePolicy, Long> rejected) {

	/**
	 * Copies what may change.
	 */
	public JdbcStoreSnapshot {
		closed = List.copyOf(closed);
		admitted = Map.copyOf(admitted);
		rejected = Map.copyOf(rejected);
	}

}
