package dev.sluice.cluster.resume;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Bounded set of sessions of a node without a connection; locks itself. Beyond the bound,
 * the principal with the most sessions loses its oldest, so that a client that reconnects
 * often takes no place from others.
 */
final class SuspendedSessions {

	/*
	 * Both maps are guarded by "this" and have the same sessions. The session that loses
	 * its place is removed with the monitor held, so each session is returned once.
	 * Attacked by ResumeTests.
	 */

	private final int most;

	private final Map<ResumableSession, String> principals = new LinkedHashMap<>();

	private final Map<String, Set<ResumableSession>> byPrincipal = new HashMap<>();

	SuspendedSessions(int most) {
		this.most = most;
	}

	/** Adds a session; returns the session that loses its place, if any. */
	synchronized @Nullable ResumableSession add(ResumableSession session, String principal) {
		this.principals.put(session, principal);
		this.byPrincipal.computeIfAbsent(principal, (name) -> new LinkedHashSet<>()).add(session);
		if (this.principals.size() <= this.most) {
			return null;
		}
		ResumableSession oldest = null;
		int count = 0;
		for (Set<ResumableSession> sessions : this.byPrincipal.values()) {
			if (sessions.size() > count) {
				count = sessions.size();
				Iterator<ResumableSession> first = sessions.iterator();
				oldest = first.next();
			}
		}
		if (oldest != null) {
			remove(oldest);
		}
		return oldest;
	}

	synchronized void remove(ResumableSession session) {
		String principal = this.principals.remove(session);
		Set<ResumableSession> sessions = (principal != null) ? this.byPrincipal.get(principal) : null;
		if (sessions != null) {
			sessions.remove(session);
			if (sessions.isEmpty()) {
				this.byPrincipal.remove(principal);
			}
		}
	}

	synchronized int count() {
		return this.principals.size();
	}

}
