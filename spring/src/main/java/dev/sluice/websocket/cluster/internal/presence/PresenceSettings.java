package dev.sluice.websocket.cluster.internal.presence;

import java.time.Duration;
import java.util.List;

import org.springframework.util.PatternMatchUtils;

/**
 * Of which topics presence is kept, and how.
 *
 * @param topics patterns of their names, in which {@code *} is any text; none for none
 * @param leaveDelay how long a principal stays whose last session has ended without
 * leaving
 * @param maxMembers how many principals an answer names
 */
public record PresenceSettings(List<String> topics, Duration leaveDelay, int maxMembers) {

	/** Presence is not kept. */
	public static final PresenceSettings OFF = new PresenceSettings(List.of(), Duration.ZERO, 0);

	/** Copies the list. */
	public PresenceSettings {
		topics = List.copyOf(topics);
	}

	boolean isKept(String topic) {
		return PatternMatchUtils.simpleMatch(this.topics.toArray(String[]::new), topic);
	}

}
