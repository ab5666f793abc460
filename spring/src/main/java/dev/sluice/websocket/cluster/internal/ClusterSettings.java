package dev.sluice.websocket.cluster.internal;

import java.time.Duration;

import dev.sluice.cluster.HistoryLimits;
import dev.sluice.websocket.cluster.internal.feed.ByTopic;
import dev.sluice.websocket.cluster.internal.presence.PresenceSettings;
import dev.sluice.websocket.resume.ResumeSettings;

/**
 * Limits and times of a cluster.
 *
 * @param timeout how long a node may be silent that has something to answer
 * @param histories bounds of the histories of topics
 * @param maxTopicsPerSession how many topics a session may join
 * @param presence of which topics presence is kept
 * @param resume limits of sessions that may be resumed
 * @param publishedLocally whether members of this node get what it publishes while the
 * bus is unavailable
 */
public record ClusterSettings(Duration timeout, ByTopic<HistoryLimits> histories, int maxTopicsPerSession,
		PresenceSettings presence, ResumeSettings resume, boolean publishedLocally) {

	/** Creates settings by which nothing is published while the bus is unavailable. */
	public ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession, PresenceSettings presence,
			ResumeSettings resume) {
		this(timeout, new ByTopic<>(history), maxTopicsPerSession, presence, resume, false);
	}

	/** Creates settings without presence, and with the defaults of what resumes. */
	public ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession) {
		this(timeout, history, maxTopicsPerSession, PresenceSettings.OFF, ResumeSettings.DEFAULTS);
	}

}
