package dev.sluice.cluster;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * History of the messages of a name.
 *
 * @param top the position of the latest message, {@code null} if none is known
 * @param entries messages, the oldest first, none of which is missing between two others;
 * the last is that at {@code top}, unless no history is kept or its time is over
 * @since 0.1.0
 */
public record TopicHistory(@Nullable Position top, List<TopicEntry> entries) {

	/** Copies the list. */
	public TopicHistory {
		entries = List.copyOf(entries);
	}

	/**
	 * Returns the beginning of the history.
	 * @param known a position; the message there does not count
	 * @param most how many messages the beginning has besides
	 * @return the beginning, with the same {@code top}
	 */
	public TopicHistory first(@Nullable Position known, int most) {
		int uncounted = (!this.entries.isEmpty() && this.entries.get(0).at().equals(known)) ? 1 : 0;
		return new TopicHistory(this.top, this.entries.subList(0, Math.min(this.entries.size(), most + uncounted)));
	}

}
