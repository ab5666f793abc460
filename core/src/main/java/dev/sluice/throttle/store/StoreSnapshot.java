package dev.sluice.throttle.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.throttle.FailurePolicy;

/**
 * State of a store on a server at one instant, as seen by this node. Counts are since the
 * store was built.
 *
 * @param unavailable whether calls are not put to the server now, because it cannot be
 * reached, or does not answer in time
 * @param nodes how many nodes there were, this one included, when last the server was
 * heard; a node that died counts for a while still
 * @param closed names of the limits of which calls are rejected while the server is
 * unavailable
 * @param answered commands that were answered, of those that somebody waited for
 * @param answerTime how long those took together
 * @param failed commands that failed or were not answered in time
 * @param admitted calls that were admitted without the server, by policy
 * @param rejected calls that were rejected without the server, by policy
 * @since 0.1.0
 */
public record StoreSnapshot(boolean unavailable, int nodes, List<String> closed, long answered, Duration answerTime,
		long failed, Map<FailurePolicy, Long> admitted, Map<FailurePolicy, Long> rejected) {

	/** Copies what may change. */
	public StoreSnapshot {
		closed = List.copyOf(closed);
		admitted = Map.copyOf(admitted);
		rejected = Map.copyOf(rejected);
	}

}
