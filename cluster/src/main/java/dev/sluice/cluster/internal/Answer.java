package dev.sluice.cluster.internal;

import java.util.List;
import java.util.Map;

import dev.sluice.cluster.SessionInfo;

/**
 * Answer of a node about its sessions.
 *
 * @param node the node
 * @param number the other node's number of the request or publication
 * @param state how far it is
 * @param count number of sessions concerned
 * @param sent number of sessions for which it succeeded
 * @param unknown number of sessions that may have received the message
 * @param failures number of sessions for which it failed, by reason
 * @param found the sessions, of a search
 */
record Answer(String node, long number, State state, int count, int sent, int unknown, Map<String, Integer> failures,
		List<SessionInfo> found) {

	static Answer of(String node, long number, State state, int count) {
		return new Answer(node, number, state, count, 0, 0, Map.of(), List.of());
	}

	/** Progress of a node. */
	enum State {

		/** All is known. */
		DONE,

		/** It is being done. */
		PENDING,

		/** The node has not received the request. */
		UNHEARD,

		/**
		 * The node may have received the request, too long ago to have kept the answer.
		 */
		FORGOTTEN

	}

}
