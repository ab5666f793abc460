package dev.sluice.websocket.journal;

import java.util.concurrent.TimeUnit;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Log of a journal that begins to fail, and that recovers: once for a series of failures,
 * and at most once a minute.
 */
final class JournalFailures {

	/*
	 * All state is guarded by "this"; logs are written outside of the monitor. Attacked
	 * by JournalFailuresTests.
	 */

	private static final Log logger = LogFactory.getLog(LoggingSentMessageJournal.LOGGER);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final NanoClock clock;

	private int consecutive;

	private long warnedAt;

	/** Whether the current failures were logged. */
	private boolean warned;

	JournalFailures(NanoClock clock) {
		this.clock = clock;
		this.warnedAt = clock.nanoTime() - QUIET_NANOS;
	}

	/** Records a failed call of the journal. */
	void failed(Throwable failure) {
		if (isToWarn()) {
			logger.warn("The journal of sent messages has failed; the same records are offered again until it"
					+ " accepts them, and records that find no room until then are logged here", failure);
		}
	}

	private synchronized boolean isToWarn() {
		this.consecutive++;
		long now = this.clock.nanoTime();
		if (this.warned || now - this.warnedAt < QUIET_NANOS) {
			return false;
		}
		this.warned = true;
		this.warnedAt = now;
		return true;
	}

	/** Records a successful call of the journal. */
	void succeeded() {
		int failures = reset();
		if (failures > 0) {
			logger.info("The journal of sent messages writes again (failed attempts: " + failures + ")");
		}
	}

	/** Returns the number of failures if they were logged, else zero. */
	private synchronized int reset() {
		int failures = this.warned ? this.consecutive : 0;
		this.consecutive = 0;
		this.warned = false;
		return failures;
	}

	synchronized int consecutive() {
		return this.consecutive;
	}

}
