package dev.sluice.throttle.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.sluice.throttle.FailurePolicy;

/**
 * State of a store on a server at one instant, from the view of this node. Counts begin
 * with the creation of the store.
 *
 * @param unavailable whether the server counts as unavailable, because it cannot be
 * reached or does not answer in time; calls are then not sent to it
 * @param nodes the number of nodes at the last answer of the server, including this one;
 * a dead node still counts for some time
 * @param closed the names of the limits that reject while the server is unavailable
 * @param answered the number of answered commands, counting only commands with a waiting
 * caller
 * @param answerTime the total time of these commands
 * @param failed the number of commands that failed or were not answered in time
 * @param admitted the number of calls admitted by policy, without the server
 * @param rejected the number of calls rejected by policy, without the server
 * @since 0.1.0
 */
public record StoreSnapshot(boolean unavailable, int nodes, List<String> closed, long answered, Duration answerTime,
		long failed, Map<FailurePolicy, Long> admitted, Map<FailurePolicy, Long> rejected) {

	/** Copies the mutable components. */
	public StoreSnapshot {
		closed = List.copyOf(closed);
		admitted = Map.copyOf(admitted);
		rejected = Map.copyOf(rejected);
	}

}
