package dev.sluice.websocket.message;

import java.time.Duration;

import dev.sluice.internal.ClientNames;
import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;

/**
 * Log of frequent events of one kind, which clients and other nodes cause: a line for the
 * first event, and a minute later one with the number of further events.
 */
public final class BoundedLog {

	private static final int MAX_PLACE = 100;

	private static final Duration QUIET = Duration.ofMinutes(1);

	private final Log logger;

	private final NanoClock clock;

	private final String text;

	private final EventCount events = new EventCount();

	/**
	 * Creates a log without events.
	 * @param text the event and its consequence, without a full stop
	 */
	public BoundedLog(Log logger, NanoClock clock, String text) {
		this.logger = logger;
		this.clock = clock;
		this.text = text;
	}

	/**
	 * Logs an event, or counts it.
	 * @param where the subject of the event, for the line and the debug log
	 * @param cause the reason, of which the line contains only the class: its message may
	 * contain data of a client
	 */
	public void warn(String where, Throwable cause) {
		warnFirst(bounded(where) + ", " + cause.getClass().getSimpleName());
		this.logger.debug(where, cause);
	}

	/**
	 * Logs an event that no exception caused, or counts it.
	 * @param where the subject of the event
	 */
	public void warn(String where) {
		warnFirst(bounded(where));
		if (this.logger.isDebugEnabled()) {
			this.logger.debug(this.text + " (" + bounded(where) + ")");
		}
	}

	private void warnFirst(String event) {
		if (this.events.isFirst()) {
			this.logger.warn(this.text + " (" + event + "; the number of others follows in a minute)");
			this.clock.schedule(this::report, QUIET);
		}
	}

	/** Names may come from clients, and must not end the line or fill the log. */
	private static String bounded(String where) {
		StringBuilder text = new StringBuilder(ClientNames.printable(where));
		if (text.length() > MAX_PLACE) {
			text.setLength(MAX_PLACE);
			text.append('\u2026');
		}
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				text.setCharAt(i, '?');
			}
		}
		return text.toString();
	}

	private void report() {
		long count = this.events.take();
		if (count > 0) {
			this.logger.warn(this.text + " (" + count + " more in the last minute)");
		}
	}

}
