package dev.sluice.websocket.cluster.internal;

import java.util.HashSet;
import java.util.Set;

import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.cluster.TooManyTopicsException;

/** The topics that one session has joined, or is about to; locks itself. */
final class SessionTopics {

	private final String sessionId;

	private final int most;

	private final Set<String> names = new HashSet<>();

	private boolean ended;

	SessionTopics(String sessionId, int most) {
		this.sessionId = sessionId;
		this.most = most;
	}

	/** Adds a topic; returns whether it is new. */
	synchronized boolean add(String name) throws SessionClosedException {
		if (this.ended) {
			throw new SessionClosedException(this.sessionId);
		}
		if (this.names.contains(name)) {
			return false;
		}
		if (this.names.size() >= this.most) {
			throw new TooManyTopicsException(this.sessionId, this.most);
		}
		return this.names.add(name);
	}

	synchronized boolean remove(String name) {
		return this.names.remove(name);
	}

	synchronized boolean contains(String name) {
		return this.names.contains(name);
	}

	/** Takes no more topics; returns those to leave. */
	synchronized Set<String> end() {
		this.ended = true;
		Set<String> left = Set.copyOf(this.names);
		this.names.clear();
		return left;
	}

}
