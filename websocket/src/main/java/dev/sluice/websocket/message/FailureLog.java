package dev.sluice.websocket.message;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;

/**
 * Log of failures of the application for messages, which clients may cause often. The
 * first failure of a kind is logged with its stack trace. Failures of the next minute are
 * counted, and logged as one line at its end. Each is logged at debug level. The kind is
 * the class of the exception and the place where it was thrown.
 */
public final class FailureLog {

	/*
	 * A kind is in the map from its first failure until its minute is over, so that the
	 * map is bounded by the places that throw. Beyond MAX_KINDS, all kinds count as one.
	 *
	 * Attacked by FailureLogTests.
	 */

	private static final int MAX_KINDS = 100;

	private static final String OTHERS = "of other kinds";

	private static final Duration QUIET = Duration.ofMinutes(1);

	private final Log logger;

	private final NanoClock clock;

	private final String text;

	private final ConcurrentMap<String, EventCount> kinds = new ConcurrentHashMap<>();

	/**
	 * Creates a log without failures.
	 * @param text the operation that has failed, such as {@code "Failed to handle"}
	 */
	public FailureLog(Log logger, NanoClock clock, String text) {
		this.logger = logger;
		this.clock = clock;
		this.text = text;
	}

	/**
	 * Logs a failure, or counts it.
	 * @param message describes the message; called only if the failure is logged
	 * @param failure the failure
	 */
	public void error(Supplier<String> message, Throwable failure) {
		String kind = kind(failure);
		if (this.kinds.computeIfAbsent(kind, (key) -> new EventCount()).isFirst()) {
			this.clock.schedule(() -> report(kind), QUIET);
			this.logger.error(this.text + " " + message.get(), failure);
		}
		else if (this.logger.isDebugEnabled()) {
			this.logger.debug(this.text + " " + message.get(), failure);
		}
	}

	private String kind(Throwable failure) {
		StackTraceElement[] trace = failure.getStackTrace();
		String kind = failure.getClass().getName() + ((trace.length > 0) ? " at " + trace[0] : "");
		return (this.kinds.size() < MAX_KINDS || this.kinds.containsKey(kind)) ? kind : OTHERS;
	}

	private void report(String kind) {
		EventCount count = this.kinds.remove(kind);
		long more = (count != null) ? count.take() : 0;
		if (more > 0) {
			this.logger.error(this.text + " " + more + " more messages in the last minute: " + kind);
		}
	}

}
