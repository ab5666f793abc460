package dev.sluice.websocket.cluster.internal;

import java.time.Duration;

import dev.sluice.cluster.HistoryLimits;

/**
 * Limits and times of a cluster.
 *
 * @param timeout how long a node may be silent that has something to answer
 * @param history bounds of the history of a topic
 * @param maxTopicsPerSession how many topics a session may join
 */
public record ClusterSettings(Duration timeout, HistoryLimits history, int maxTopicsPerSession) {

}
