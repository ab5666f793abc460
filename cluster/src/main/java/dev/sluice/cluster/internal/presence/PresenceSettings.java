package dev.sluice.cluster.internal.presence;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import dev.sluice.cluster.internal.feed.ByTopic;

/**
 * Topics with presence, and its settings.
 *
 * @param topics whether presence is enabled, by topic
 * @param leaveDelay time for which a principal stays present after its last session has
 * ended without leaving
 * @param maxMembers maximum number of principals named in an answer
 */
public record PresenceSettings(ByTopic<Boolean> topics, Duration leaveDelay, int maxMembers) {

	/** Presence is not kept. */
	public static final PresenceSettings OFF = new PresenceSettings(List.of(), Duration.ZERO, 0);

	/** Creates settings for the topics that match any of the patterns. */
	public PresenceSettings(List<String> topics, Duration leaveDelay, int maxMembers) {
		this(new ByTopic<>(false, topics.stream().distinct().collect(Collectors.toMap((one) -> one, (one) -> true))),
				leaveDelay, maxMembers);
	}

	/** Returns whether any topic may have presence. */
	public boolean isEnabled() {
		return this.topics.others() || this.topics.byPattern().containsValue(true);
	}

	boolean isKept(String topic) {
		return this.topics.of(topic);
	}

}
