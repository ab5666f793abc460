package dev.sluice.bus;

import java.util.Objects;

/**
 * Message to be published under a name.
 *
 * @param name the name
 * @param messageId the publisher's id of the message, a word that is unique for ever
 * @param payload any text that UTF-8 can encode
 * @param limits bounds of the name's history, from now on
 * @param repeated whether the message may have been published already. The bus then
 * searches the latest 1,000 messages of the history and does not publish it twice
 * @since 0.1.0
 */
public record Publication(String name, String messageId, String payload, HistoryLimits limits, boolean repeated) {

	/** Rejects {@code null} values, and an id that is empty or contains whitespace. */
	public Publication {
		Objects.requireNonNull(name, "'name' must not be null");
		Objects.requireNonNull(messageId, "'messageId' must not be null");
		Objects.requireNonNull(payload, "'payload' must not be null");
		Objects.requireNonNull(limits, "'limits' must not be null");
		if (messageId.isEmpty() || messageId.chars().anyMatch(Character::isWhitespace)) {
			throw new IllegalArgumentException("'messageId' must be a word: '" + messageId + "'");
		}
	}

	/**
	 * Returns a copy for another attempt after an attempt with an unknown outcome.
	 * @return a copy with {@code repeated} set
	 */
	public Publication again() {
		return new Publication(this.name, this.messageId, this.payload, this.limits, true);
	}

}
