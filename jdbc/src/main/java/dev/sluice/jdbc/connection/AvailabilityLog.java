package dev.sluice.jdbc.connection;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Log of the periods in which PostgreSQL is unavailable: one warning with the cause when
 * a period begins, and one message when it ends.
 */
public final class AvailabilityLog {

	/*
	 * The timer of the store calls this class. The first failure of a fault often belongs
	 * to a terminated connection, and the next failure has the reason: the warning
	 * therefore waits a moment for the next failure. If some statements fail and others
	 * succeed, the fault comes and goes. It counts as one fault until three seconds pass
	 * without a failure, which is longer than the circuit breaker waits between two
	 * attempts.
	 *
	 * Attacked by JdbcFaultSuiteTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(AvailabilityLog.class.getName());

	private static final Duration STABLE = Duration.ofSeconds(3);

	private static final Duration FIRST_PROBE = Duration.ofMillis(1200);

	private @Nullable Throwable lastCause;

	private boolean warned;

	private long begin;

	private long lastSeen;

	/**
	 * Logs a fault that has begun or ended since the last call.
	 * @param cause the failure that makes PostgreSQL unavailable now, or {@code null} if
	 * PostgreSQL is available
	 */
	public void check(@Nullable Throwable cause) {
		long now = System.nanoTime();
		if (cause != null) {
			this.begin = (this.lastCause != null) ? this.begin : now;
			this.lastCause = cause;
			this.lastSeen = now;
		}
		if (this.lastCause != null && !this.warned && (cause == null || now - this.begin >= FIRST_PROBE.toNanos())) {
			this.warned = true;
			LOGGER.log(System.Logger.Level.WARNING,
					"PostgreSQL is unavailable, and is tried again until it answers; limits follow their failure "
							+ "policies: " + SqlStates.describe(this.lastCause));
			LOGGER.log(System.Logger.Level.DEBUG, "Cause", this.lastCause);
		}
		if (this.warned && cause == null && now - this.lastSeen >= STABLE.toNanos()) {
			this.warned = false;
			this.lastCause = null;
			LOGGER.log(System.Logger.Level.INFO, "PostgreSQL is available again, after "
					+ Duration.ofNanos(this.lastSeen - this.begin).toMillis() + " ms");
		}
	}

}
