package dev.sluice.cluster;

import java.util.Map;
import java.util.Set;

/**
 * Outcome of an operation on sessions of many nodes.
 *
 * @param sent sessions for which it succeeded: the message was written to the socket, or
 * the session has ended
 * @param failed sessions for which it failed and will not succeed; members of a topic
 * that are to catch up count as {@code TaskDroppedException} and may be sent the message
 * later
 * @param unknown sessions with an unknown outcome, which may have received the message or
 * may still: their connection ended while the message was being sent, they continue at
 * another node, or their node was lost; as many as that node had counted, or 1 for a node
 * that has never answered
 * @param silentNodes nodes that were lost after the hand-over
 * @param failures number of failures by reason: the simple name of an exception, or
 * {@link #NO_SUCH_SESSION}, or {@link #LOST}
 * @since 0.1.0
 */
public record Delivery(int sent, int failed, int unknown, Set<String> silentNodes, Map<String, Integer> failures) {

	/** Reason for a session that was requested by its id and is not open. */
	public static final String NO_SUCH_SESSION = "NoSuchSession";

	/**
	 * Reason for members of a topic that were sent a gap instead of the message, because
	 * their node did not find or could not read it.
	 */
	public static final String LOST = "Lost";

	/** Copies the collections. */
	public Delivery {
		silentNodes = Set.copyOf(silentNodes);
		failures = Map.copyOf(failures);
	}

	/**
	 * Returns whether it succeeded for at least one session and for all sessions
	 * concerned.
	 * @return whether nothing has failed and no outcome is unknown
	 */
	public boolean isComplete() {
		return this.sent > 0 && this.failed == 0 && this.unknown == 0;
	}

}
