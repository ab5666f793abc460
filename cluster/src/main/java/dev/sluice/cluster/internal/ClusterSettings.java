package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.sluice.bus.HistoryLimits;
import dev.sluice.cluster.internal.feed.ByTopic;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;

/**
 * Limits and times of a cluster.
 *
 * @param timeout maximum time for a node to be silent that has a request to answer
 * @param histories bounds of the histories of topics
 * @param maxTopicsPerSession how many topics a session may join
 * @param presence the topics with presence
 * @param resume limits of sessions that may be resumed
 * @param publishedLocally whether publications are sent to the members on this node while
 * the bus is unavailable
 */
public record ClusterSettings(Duration timeout, ByTopic<HistoryLimits> histories, int maxTopicsPerSession,
		PresenceSettings presence, ResumeSettings resume, boolean publishedLocally) {

	/** Creates settings with which nothing is published while the bus is unavailable. */
	public ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession, PresenceSettings presence,
			ResumeSettings resume) {
		this(timeout, new ByTopic<>(history), maxTopicsPerSession, presence, resume, false);
	}

	/**
	 * Creates settings without presence, and with the default limits of resumable
	 * sessions.
	 */
	public ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession) {
		this(timeout, history, maxTopicsPerSession, PresenceSettings.OFF, ResumeSettings.DEFAULTS);
	}

	/**
	 * Returns the values that all nodes must share, by the names of their properties.
	 * @param maxPerPrincipal the maximum number of sessions of a principal on all nodes
	 */
	Map<String, String> shared(int maxPerPrincipal) {
		Map<String, String> values = new TreeMap<>();
		history(values, "sluice.cluster", this.histories.others());
		this.histories.byPattern()
			.forEach((pattern, limits) -> history(values, "sluice.cluster.topics[" + pattern + "]", limits));
		Set<String> present = new TreeSet<>();
		this.presence.topics().byPattern().forEach((pattern, kept) -> present.add((kept ? "" : "!") + pattern));
		if (!present.isEmpty()) {
			values.put("sluice.cluster.presence.topics", String.join(",", present));
			values.put("sluice.cluster.presence.leave-delay", this.presence.leaveDelay().toString());
		}
		values.put("sluice.cluster.resume.window", this.resume.window().toString());
		values.put("sluice.cluster.resume.outbox", this.resume.writesThrough() ? "redis" : "memory");
		if (maxPerPrincipal < Integer.MAX_VALUE) {
			values.put("sluice.websocket.max-sessions-per-principal", String.valueOf(maxPerPrincipal));
		}
		return values;
	}

	private static void history(Map<String, String> values, String prefix, HistoryLimits limits) {
		values.put(prefix + ".history.size", String.valueOf(limits.size()));
		values.put(prefix + ".history.time", limits.time().toString());
		if (limits.waitReplicas() > 0) {
			values.put(prefix + ".wait-replicas", String.valueOf(limits.waitReplicas()));
		}
	}

}
