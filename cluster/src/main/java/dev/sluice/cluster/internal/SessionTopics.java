package dev.sluice.cluster.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.sluice.cluster.TooManyTopicsException;
import dev.sluice.websocket.SessionClosedException;

/** The topics that one session has joined, or is about to join; locks itself. */
final class SessionTopics {

	/*
	 * All state is guarded by "this". end() takes all names and rejects later ones in one
	 * step, so each added topic is left once. The number of an addition keeps its failure
	 * from removing a later one. Attacked by TopicTests.
	 */

	private final String sessionId;

	private final int most;

	/** Names, with the number of the addition of each. */
	private final Map<String, Long> names = new HashMap<>();

	private long additions;

	private boolean ended;

	SessionTopics(String sessionId, int most) {
		this.sessionId = sessionId;
		this.most = most;
	}

	/**
	 * Adds a topic; returns the number of the addition, or 0 if it has been added before.
	 */
	synchronized long add(String name) throws SessionClosedException {
		if (this.ended) {
			throw new SessionClosedException(this.sessionId);
		}
		if (this.names.containsKey(name)) {
			return 0;
		}
		if (this.names.size() >= this.most) {
			throw new TooManyTopicsException(this.sessionId, this.most);
		}
		this.names.put(name, ++this.additions);
		return this.additions;
	}

	synchronized boolean remove(String name) {
		return this.names.remove(name) != null;
	}

	/** Removes a topic, unless it was removed and added again since an addition. */
	synchronized void remove(String name, long addition) {
		this.names.remove(name, addition);
	}

	synchronized boolean contains(String name) {
		return this.names.containsKey(name);
	}

	/** Accepts no more topics; returns the topics to leave. */
	synchronized Set<String> end() {
		this.ended = true;
		Set<String> left = Set.copyOf(this.names.keySet());
		this.names.clear();
		return left;
	}

}
