package dev.sluice.websocket.resume;

import java.util.List;

/**
 * Contents of an outbox that are handed over.
 *
 * @param messages the messages, the oldest first
 * @param last the latest number
 * @param dropped the latest number of a dropped message
 * @param lost whether something without a number was lost
 */
public record OutboxContents(List<Kept> messages, long last, long dropped, boolean lost) {

	/** More than are numbered in one incarnation. */
	private static final int INCARNATION_BITS = 32;

	/**
	 * Numbers that a client claims to have received count up to this one, so that the
	 * numbers after it stay below 2^53, the bound of exact numbers in JavaScript.
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
	 * A message that is handed over.
	 *
	 * @param number its number, or 0 if it has none yet
	 * @param head the text without the brace that closes it
	 */
	public record Kept(long number, String head) {
	}

}
