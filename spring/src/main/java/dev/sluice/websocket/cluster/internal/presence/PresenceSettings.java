package dev.sluice.websocket.cluster.internal.presence;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.sluice.websocket.cluster.internal.feed.ByTopic;

/**
 * Topics of which presence is kept, and how.
 *
 * @param topics whether it is kept of a topic
 * @param leaveDelay how long a principal stays whose last session has ended without
 * leaving
 * @param maxMembers how many principals an answer names
 */
public record PresenceSettings(ByTopic<Boolean> topics, Duration leaveDelay, int maxMembers) {

	/** Presence is not kept. */
	public static final PresenceSettings OFF = new PresenceSettings(List.of(), Duration.ZERO, 0);

	/** Creates settings of the topics that any of some patterns matches. */
	public PresenceSettings(List<String> topics, Duration leaveDelay, int maxMembers) {
		this(new ByTopic<>(false, topics.stream().distinct().collect(Collectors.toMap((one) -> one, (one) -> true))),
				leaveDelay, maxMembers);
	}

	boolean isKept(String topic) {
		return this.topics.of(topic);
	}

}
