package dev.sluice.cluster;

import java.util.List;

/**
 * Principals that are present in a topic, on all nodes.
 *
 * @param principals the names of the principals, sorted, up to the configured maximum
 * @param count how many are present
 * @since 0.1.0
 */
public record TopicPresence(List<String> principals, int count) {

	/** Copies the list. */
	public TopicPresence {
		principals = List.copyOf(principals);
	}

}
