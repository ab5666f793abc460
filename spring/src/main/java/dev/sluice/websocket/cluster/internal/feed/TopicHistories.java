package dev.sluice.websocket.cluster.internal.feed;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.cluster.HistoryLimits;

import org.springframework.util.PatternMatchUtils;

/**
 * Bounds of the histories of topics.
 *
 * @param others bounds of topics that no pattern matches
 * @param byPattern bounds by patterns of names, in which {@code *} is any text; of those
 * that match a name, the longest counts
 */
public record TopicHistories(HistoryLimits others, Map<String, HistoryLimits> byPattern) {

	/** Sorts the patterns, the longest first. */
	public TopicHistories {
		Map<String, HistoryLimits> sorted = new LinkedHashMap<>();
		byPattern.entrySet()
			.stream()
			.sorted(Comparator.comparing((one) -> -one.getKey().length()))
			.forEach((one) -> sorted.put(one.getKey(), one.getValue()));
		byPattern = sorted;
	}

	/** Creates bounds that are the same for all topics. */
	public TopicHistories(HistoryLimits all) {
		this(all, Map.of());
	}

	/** Returns the bounds of the history of a topic. */
	public HistoryLimits of(String topic) {
		return this.byPattern.entrySet()
			.stream()
			.filter((one) -> PatternMatchUtils.simpleMatch(one.getKey(), topic))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(this.others);
	}

}
