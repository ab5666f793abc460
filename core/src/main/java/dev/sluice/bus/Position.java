package dev.sluice.bus;

import java.util.Objects;

/**
 * Position of a message in the sequence of a name: its number and the id given by its
 * publisher. The number alone is not unique: a server that has lost the latest messages
 * assigns their numbers to other messages.
 *
 * @param offset the number, from 1, or 0 for the start of a name: the position that the
 * first message follows
 * @param messageId the id, unique for ever
 * @since 0.1.0
 */
public record Position(long offset, String messageId) {

	/** Rejects a negative number and an empty id. */
	public Position {
		Objects.requireNonNull(messageId, "'messageId' must not be null");
		if (offset < 0 || messageId.isEmpty()) {
			throw new IllegalArgumentException(
					"'offset' and 'messageId' are no position: " + offset + ", " + messageId);
		}
	}

	/**
	 * Reads a position.
	 * @param text the result of {@link #toString()}
	 * @return the position
	 * @throws IllegalArgumentException if the text is not a position
	 */
	public static Position parse(String text) {
		Objects.requireNonNull(text, "'text' must not be null");
		int dot = text.indexOf('.');
		if (dot <= 0) {
			throw new IllegalArgumentException("'text' is no position: " + text);
		}
		return new Position(Long.parseLong(text.substring(0, dot)), text.substring(dot + 1));
	}

	/** Returns the number and the id, separated by a dot. */
	@Override
	public String toString() {
		return this.offset + "." + this.messageId;
	}

}
