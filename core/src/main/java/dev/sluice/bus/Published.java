package dev.sluice.bus;

import java.util.Set;

/**
 * Outcome of a publication.
 *
 * @param at the position of the message
 * @param nodes the nodes that had joined the name, to which the message was handed over
 * @since 0.1.0
 */
public record Published(Position at, Set<String> nodes) {

	/** Copies the set. */
	public Published {
		nodes = Set.copyOf(nodes);
	}

}
