package dev.sluice.cluster.resume.outbox;

import java.util.List;

/**
 * Contents of an outbox for a hand-over.
 *
 * @param messages the messages, the oldest first
 * @param last the latest number
 * @param dropped the latest number of a dropped message
 * @param lost whether a message without a number was lost
 */
public record OutboxContents(List<Kept> messages, long last, long dropped, boolean lost) {

	/** More than the number of messages in one incarnation. */
	private static final int INCARNATION_BITS = 32;

	/**
	 * Maximum number that a client may claim to have received, so that later numbers stay
	 * below 2^53, the bound of exact numbers in JavaScript.
	 */
	static final long MOST_CLAIMED = (1L << 53) - (1L << INCARNATION_BITS);

	/**
	 * Returns contents without information on the messages that the client has missed.
	 * @param incarnation the incarnation that begins
	 */
	public static OutboxContents unknown(long incarnation) {
		return new OutboxContents(List.of(), incarnation << INCARNATION_BITS, 0, true);
	}

	/**
	 * A message in a hand-over.
	 *
	 * @param number its number, or 0 if not assigned yet
	 * @param head the text without its closing brace
	 */
	public record Kept(long number, String head) {
	}

}
