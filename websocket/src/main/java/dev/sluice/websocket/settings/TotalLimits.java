package dev.sluice.websocket.settings;

/**
 * Bytes that may wait in all sessions together. A message counts with the bytes of its
 * payload, of which a message for many sessions has one, and a few hundred more. Sessions
 * with more waiting bytes than remain are not read; at the limit, the session with the
 * most waiting bytes is cut off. For inbound messages, it is closed with 1013, and its
 * waiting messages are not handled.
 *
 * @param inbound the maximum bytes that wait to be handled, including sessions whose
 * client has left
 * @param outbound the maximum bytes that wait to be sent or are being sent
 */
public record TotalLimits(long inbound, long outbound) {

	/** Returns limits of a quarter of the heap each. */
	public static TotalLimits ofHeap() {
		long quarter = Runtime.getRuntime().maxMemory() / 4;
		return new TotalLimits(quarter, quarter);
	}

}
