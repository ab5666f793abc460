package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Reader of the definition of one limit. An unreadable definition, which another program
 * or a later version has written, is logged once a minute, and remains in Redis.
 */
final class DefinitionReader {

	/*
	 * "next" is the time of the next line; the thread that changes it writes the line.
	 * Attacked by RedisUnreadableLimitsTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(DefinitionReader.class.getName());

	private static final long INTERVAL = Duration.ofMinutes(1).toNanos();

	private final String key;

	private final AtomicLong next = new AtomicLong(System.nanoTime());

	/**
	 * Creates a reader.
	 * @param key the name of the definition in Redis
	 */
	DefinitionReader(String key) {
		this.key = key;
	}

	/**
	 * Reads a definition that was not removed.
	 * @throws StoreUnavailableException if it is unreadable
	 */
	Definition read(String text) {
		try {
			return Definition.parse(text);
		}
		catch (StoreUnavailableException ex) {
			long now = System.nanoTime();
			long due = this.next.get();
			if (now - due >= 0 && this.next.compareAndSet(due, now + INTERVAL)) {
				LOGGER.log(System.Logger.Level.WARNING, "The definition of a limit in '" + this.key
						+ "' in Redis cannot be read; each node uses its own until the key is deleted");
			}
			throw ex;
		}
	}

}
