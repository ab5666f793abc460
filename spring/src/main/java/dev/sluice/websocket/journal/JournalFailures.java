package dev.sluice.websocket.journal;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.time.NanoClock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Log of a journal that begins to fail, and that writes again: once for all failures in a
 * row, and at most once a minute however often it begins.
 */
final class JournalFailures {

	private static final Log logger = LogFactory.getLog(LoggingSentMessageJournal.LOGGER);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final NanoClock clock;

	private final ReentrantLock lock = new ReentrantLock();

	private int consecutive;

	private long warnedAt;

	private boolean everWarned;

	/** Whether the log has been told of the present failures. */
	private boolean warned;

	JournalFailures(NanoClock clock) {
		this.clock = clock;
	}

	/** A call of the journal has failed. */
	void failed(Throwable failure) {
		boolean warn;
		this.lock.lock();
		try {
			this.consecutive++;
			long now = this.clock.nanoTime();
			warn = !this.warned && (!this.everWarned || now - this.warnedAt >= QUIET_NANOS);
			if (warn) {
				this.everWarned = true;
				this.warned = true;
				this.warnedAt = now;
			}
		}
		finally {
			this.lock.unlock();
		}
		if (warn) {
			logger.warn("The journal of sent messages has failed; it is offered the same records again until it"
					+ " takes them, and those that find no place meanwhile are told here", failure);
		}
	}

	/** A call of the journal has succeeded. */
	void succeeded() {
		int failures;
		boolean told;
		this.lock.lock();
		try {
			failures = this.consecutive;
			told = this.warned;
			this.consecutive = 0;
			this.warned = false;
		}
		finally {
			this.lock.unlock();
		}
		if (told) {
			logger.info("The journal of sent messages writes again, after " + failures + " failures");
		}
	}

	int consecutive() {
		this.lock.lock();
		try {
			return this.consecutive;
		}
		finally {
			this.lock.unlock();
		}
	}

}
