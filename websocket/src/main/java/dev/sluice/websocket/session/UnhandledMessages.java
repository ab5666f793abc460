package dev.sluice.websocket.session;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.inbound.InboundPressure;
import dev.sluice.websocket.message.FailureLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.web.socket.CloseStatus;

/** Messages of a client that are not handled, because the session has ended. */
final class UnhandledMessages {

	/*
	 * "discarded" is only ever set, before messages are discarded, so that they are
	 * logged once. Attacked by UnhandledMessagesTests.
	 */

	private static final Log logger = LogFactory.getLog(UnhandledMessages.class);

	private static final FailureLog failures = new FailureLog(logger, NanoClock.system(),
			"Failed to handle a message of");

	private final String sessionId;

	private final InboundPressure pressure;

	private final AtomicInteger count = new AtomicInteger();

	/** Whether they were logged. */
	private volatile boolean discarded;

	UnhandledMessages(String sessionId, InboundPressure pressure) {
		this.sessionId = sessionId;
		this.pressure = pressure;
	}

	/**
	 * Returns the status with which to close the session, one of whose messages cannot be
	 * handled. Any other reason than a full queue is logged, as it is a failure of the
	 * application.
	 */
	CloseStatus statusFor(Throwable reason) {
		if (reason instanceof RejectedExecutionException) {
			return CloseStatuses.TOO_MANY_MESSAGES;
		}
		failures.error(() -> "session '" + this.sessionId + "', which is closed", reason);
		return CloseStatus.SERVER_ERROR;
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
