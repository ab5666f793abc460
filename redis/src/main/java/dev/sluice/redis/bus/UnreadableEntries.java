package dev.sluice.redis.bus;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Log of data in Redis of one kind that is not in the format of the bus, as other
 * programs can write to the same server: a line for the first entry, and a minute later
 * one with the number of further entries.
 */
final class UnreadableEntries {

	/*
	 * "more" is NONE until a first entry, whose thread schedules the report that takes
	 * the count. Attacked by RedisUnreadableTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(UnreadableEntries.class.getName());

	private static final long NONE = -1;

	private final String text;

	private final ScheduledExecutorService timer;

	/** The number of entries after the first. */
	private final AtomicLong more = new AtomicLong(NONE);

	private UnreadableEntries(String text, ScheduledExecutorService timer) {
		this.text = text;
		this.timer = timer;
	}

	/** Creates the log of messages on the channels. */
	static UnreadableEntries messages(ScheduledExecutorService timer) {
		return new UnreadableEntries("Messages from other nodes cannot be processed, and are skipped", timer);
	}

	/** Creates the log of members of topics with presence. */
	static UnreadableEntries members(ScheduledExecutorService timer) {
		return new UnreadableEntries("Members of topics cannot be read, and are not present", timer);
	}

	/** Creates the log of records of sessions. */
	static UnreadableEntries records(ScheduledExecutorService timer) {
		return new UnreadableEntries("Records of sessions cannot be read, and the sessions are new ones", timer);
	}

	/**
	 * Logs an entry, or counts it.
	 * @param cause the reason, of which the line contains only the class, as its message
	 * may contain data of a client
	 */
	void warn(RuntimeException cause) {
		if (this.more.incrementAndGet() == 0) {
			LOGGER.log(System.Logger.Level.WARNING, this.text + " (" + cause.getClass().getSimpleName()
					+ "; the number of others follows in a minute)");
			reportLater();
		}
		LOGGER.log(System.Logger.Level.DEBUG, this.text, cause);
	}

	private void reportLater() {
		try {
			this.timer.schedule(this::report, 1, TimeUnit.MINUTES);
		}
		catch (RejectedExecutionException ex) {
			// the bus is closed
		}
	}

	private void report() {
		long count = this.more.getAndSet(NONE);
		if (count > 0) {
			LOGGER.log(System.Logger.Level.WARNING, this.text + " (" + count + " more in the last minute)");
		}
	}

}
