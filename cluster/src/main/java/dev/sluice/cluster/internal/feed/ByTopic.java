package dev.sluice.cluster.internal.feed;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.util.PatternMatchUtils;

/**
 * Option of topics by their names.
 *
 * @param others the value for topics that no pattern matches
 * @param byPattern values by patterns of names, in which {@code *} is any text; if
 * several patterns match a name, the longest one applies
 * @param <T> the type of the value
 */
public record ByTopic<T>(T others, Map<String, T> byPattern) {

	/** Sorts the patterns, the longest first. */
	public ByTopic {
		Map<String, T> sorted = new LinkedHashMap<>();
		byPattern.entrySet()
			.stream()
			.sorted(Comparator.comparing((one) -> -one.getKey().length()))
			.forEach((one) -> sorted.put(one.getKey(), one.getValue()));
		byPattern = sorted;
	}

	/** Creates an option that is the same for all topics. */
	public ByTopic(T all) {
		this(all, Map.of());
	}

	/** Returns the value for a topic. */
	public T of(String topic) {
		return this.byPattern.entrySet()
			.stream()
			.filter((one) -> PatternMatchUtils.simpleMatch(one.getKey(), topic))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(this.others);
	}

}
