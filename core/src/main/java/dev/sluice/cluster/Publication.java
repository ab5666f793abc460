package dev.sluice.cluster;

import java.util.Objects;

/**
 * Message to be published under a name.
 *
 * @param name the name
 * @param messageId the publisher's id of the message, a word that is unique for ever
 * @param payload any text
 * @param limits bounds of the name's history, from now on
 * @param repeated whether it may have been published already, which is looked up among
 * the latest 1,000 messages in the history
 * @since 0.1.0
 */
public record Publication(String name, String messageId, String payload, HistoryLimits limits, boolean repeated) {

	/** Rejects what is not complete. */
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
	 * Returns this publication, to be published once more as nobody knows whether it was.
	 * @return a copy that is not published twice
	 */
	public Publication again() {
		return new Publication(this.name, this.messageId, this.payload, this.limits, true);
	}

}
