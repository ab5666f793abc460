package dev.sluice.cluster;

import java.util.Set;

/**
 * Outcome of a publication.
 *
 * @param at the position that the message has got
 * @param nodes the nodes that were interested then, to which it was handed over
 * @since 0.1.0
 */
public record Published(Position at, Set<String> nodes) {

	/** Copies the set. */
	public Published {
		nodes = Set.copyOf(nodes);
	}

}
