package dev.sluice.cluster;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * History of the messages of a name.
 *
 * @param top the position of the latest message, or the start of the name if nothing was
 * published under it; {@code null} if none is known
 * @param before the position that the first of the entries follows, or {@code top} if
 * there are no entries; {@code null} if it is not known
 * @param entries messages, the oldest first, none of which is missing between two others;
 * the last is that at {@code top}, unless no history is kept or its time is over
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
	 * @param most how many messages the beginning has besides
	 * @return the beginning, with the same {@code top}
	 */
	public TopicHistory first(@Nullable Position known, int most) {
		int uncounted = (!this.entries.isEmpty() && this.entries.get(0).at().equals(known)) ? 1 : 0;
		return new TopicHistory(this.top, this.before,
				this.entries.subList(0, Math.min(this.entries.size(), most + uncounted)));
	}

}
