package dev.sluice.jdbc;

/**
 * Durability of rate limits across a crash of the database server. Held permits always
 * survive a crash.
 *
 * @since 0.1.0
 */
public enum Durability {

	/** A crash loses no permit: each decision waits for the disk. */
	FULL,

	/** A crash loses the permits granted in about its last second. */
	RELAXED,

	/**
	 * A crash loses all rates: their table is unlogged, and a standby has no copy of it.
	 */
	UNLOGGED

}
