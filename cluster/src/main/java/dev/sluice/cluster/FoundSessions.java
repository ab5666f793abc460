package dev.sluice.cluster;

import java.util.List;
import java.util.Set;

/**
 * Sessions that were found.
 *
 * @param sessions the sessions, at most 1,000 of each node, unordered
 * @param count number of sessions on the nodes that have answered
 * @param silentNodes nodes that have not answered
 * @since 0.1.0
 */
public record FoundSessions(List<SessionInfo> sessions, int count, Set<String> silentNodes) {

	/** Copies the collections. */
	public FoundSessions {
		sessions = List.copyOf(sessions);
		silentNodes = Set.copyOf(silentNodes);
	}

}
