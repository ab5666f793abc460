package dev.sluice.bus;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * History of the messages of a name.
 *
 * @param top the position of the latest message, or the start of the name if nothing was
 * published under it; {@code null} if the bus has no record of the name
 * @param before the position that the first of the entries follows, or {@code top} if
 * there are no entries; {@code null} if it is not known
 * @param entries consecutive messages, the oldest first. The last entry is the message at
 * {@code top}, unless no history is kept or the message has expired
 * @since 0.1.0
 */
public record TopicHistory(@Nullable Position top, @Nullable Position before, List<TopicEntry> entries) {

	/** Copies the list. */
	public TopicHistory {
		entries = List.copyOf(entries);
	}

	/**
	 * Returns the beginning of the history.
	 * @param known a position; the message there does not count
	 * @param maxMessages the maximum number of other messages
	 * @return the beginning, with the same {@code top}
	 */
	public TopicHistory first(@Nullable Position known, int maxMessages) {
		int uncounted = (!this.entries.isEmpty() && this.entries.get(0).at().equals(known)) ? 1 : 0;
		return new TopicHistory(this.top, this.before,
				this.entries.subList(0, Math.min(this.entries.size(), maxMessages + uncounted)));
	}

}
