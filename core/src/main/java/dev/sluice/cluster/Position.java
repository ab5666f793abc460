package dev.sluice.cluster;

import java.util.Objects;

/**
 * Position of a message among those of a name: its number, and its publisher's id of it.
 * The number alone would not do: a server that has forgotten the latest messages gives
 * their numbers to others.
 *
 * @param offset the number, from 1, or 0 for the start of a name: the position that the
 * first message follows
 * @param messageId the id, unique for ever
 * @since 0.1.0
 */
public record Position(long offset, String messageId) {

	/** Rejects what cannot be a position. */
	public Position {
		Objects.requireNonNull(messageId, "'messageId' must not be null");
		if (offset < 0 || messageId.isEmpty()) {
			throw new IllegalArgumentException(
					"'offset' and 'messageId' are no position: " + offset + ", " + messageId);
		}
	}

	/**
	 * Reads a position.
	 * @param text what {@link #toString()} has returned
	 * @return the position
	 * @throws IllegalArgumentException if the text is none
	 */
	public static Position parse(String text) {
		int dot = text.indexOf('.');
		if (dot <= 0) {
			throw new IllegalArgumentException("'text' is no position: " + text);
		}
		return new Position(Long.parseLong(text.substring(0, dot)), text.substring(dot + 1));
	}

	/** Returns the number and the id with a dot between them. */
	@Override
	public String toString() {
		return this.offset + "." + this.messageId;
	}

}
