package dev.sluice.websocket.cluster.internal;

import java.time.Duration;

import dev.sluice.cluster.HistoryLimits;
import dev.sluice.websocket.cluster.internal.presence.PresenceSettings;

/**
 * Limits and times of a cluster.
 *
 * @param timeout how long a node may be silent that has something to answer
 * @param history bounds of the history of a topic
 * @param maxTopicsPerSession how many topics a session may join
 * @param presence of which topics presence is kept
 */
public record ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession,
		PresenceSettings presence) {

	/** Creates settings without presence. */
	public ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession) {
		this(timeout, history, maxTopicsPerSession, PresenceSettings.OFF);
	}

}
