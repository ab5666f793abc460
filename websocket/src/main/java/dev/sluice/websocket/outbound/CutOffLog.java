package dev.sluice.websocket.outbound;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.LogFactory;

/**
 * Log of the clients that are cut off because they receive too little of their messages:
 * a line for each of the two limits, and a minute later one with the number of further
 * clients.
 */
public final class CutOffLog {

	private final BoundedLog full;

	private final BoundedLog slow;

	/**
	 * Creates a log without clients.
	 * @param clock schedules the lines with the numbers
	 */
	public CutOffLog(NanoClock clock) {
		this.full = log(clock,
				"More messages wait to be sent than 'sluice.websocket.outbound.buffer-size-limit' allows; "
						+ "cutting off sessions");
		this.slow = log(clock,
				"Sending takes longer than 'sluice.websocket.outbound.send-time-limit'; " + "cutting off sessions");
	}

	private static BoundedLog log(NanoClock clock, String text) {
		return new BoundedLog(LogFactory.getLog(CutOffLog.class), clock, text);
	}

	/** Called when the buffer of a session has no room for a message. */
	void full(String sessionId, SendBuffer buffer) {
		this.full.warn("session '" + sessionId + "', " + buffer);
	}

	/** Called when a message of a session was not sent in time. */
	void slow(String sessionId) {
		this.slow.warn("session '" + sessionId + "'");
	}

}
