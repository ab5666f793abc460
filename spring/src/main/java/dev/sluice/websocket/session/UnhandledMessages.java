package dev.sluice.websocket.session;

import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.websocket.inbound.InboundPressure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.socket.CloseStatus;

/** Messages of a client that are not handled, since the session is over. */
final class UnhandledMessages {

	private static final Log logger = LogFactory.getLog(UnhandledMessages.class);

	private final String sessionId;

	private final InboundPressure pressure;

	private final AtomicInteger count = new AtomicInteger();

	/** Whether they were logged. */
	private volatile boolean discarded;

	UnhandledMessages(String sessionId, InboundPressure pressure) {
		this.sessionId = sessionId;
		this.pressure = pressure;
	}

	/** Counts a message. */
	void add() {
		this.count.incrementAndGet();
	}

	/** Logs their number, unless logged before. */
	void report(CloseStatus status) {
		int messages = this.count.get();
		if (messages > 0 && !this.discarded) {
			logger.info("Session '" + this.sessionId + "' was ended by the server with " + messages
					+ " of its messages not handled: " + status);
		}
	}

	/** Begins to discard all messages, whose number {@link #discard} logs. */
	void discarding() {
		this.discarded = true;
	}

	/**
	 * Discards all messages whose turn has not come.
	 * @param description the event that affects the session
	 * @param suffix why, or nothing
	 */
	void discard(Throwable reason, String description, String suffix) {
		int messages = this.pressure.discard(reason);
		logger.warn(description + " session '" + this.sessionId + "' with " + messages + " of its messages not handled"
				+ suffix);
	}

}
