package dev.sluice.cluster.internal.feed;

import java.util.List;

import dev.sluice.bus.Position;
import dev.sluice.bus.TopicEntry;
import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/**
 * Messages that follow a position which a client has sent.
 *
 * @param complete whether no message is missing
 * @param missed the messages, empty if some are missing
 */
public record Replay(boolean complete, List<TopicEntry> missed) {

	/** Represents an unknown position. */
	private static final String UNKNOWN = "0";

	private static final Replay LOST = new Replay(false, List.of());

	private static final Replay NOTHING = new Replay(true, List.of());

	/** Writes a position. */
	public static String text(@Nullable Position at) {
		return (at != null) ? at.toString() : UNKNOWN;
	}

	/**
	 * Finds the messages that follow a position.
	 * @param at the position, any text that a client may have sent
	 */
	public static Replay of(TopicHistory history, String at) {
		List<TopicEntry> entries = history.entries();
		Position top = history.top();
		if (at.equals(UNKNOWN)) {
			return LOST;
		}
		if (at.equals(text(top))) {
			return NOTHING;
		}
		if (entries.isEmpty() || !entries.get(entries.size() - 1).at().equals(top)) {
			return LOST;
		}
		if (at.equals(text(history.before()))) {
			return new Replay(true, entries);
		}
		for (int index = entries.size() - 1; index >= 0; index--) {
			if (entries.get(index).at().toString().equals(at)) {
				return new Replay(true, entries.subList(index + 1, entries.size()));
			}
		}
		return LOST;
	}

}
