package dev.sluice.jdbc;

/**
 * Durability of rate limits across a crash of the database server. Permits that are held
 * always survive it.
 *
 * @since 0.1.0
 */
public enum Durability {

	/** Nothing: each decision waits for the disk. */
	FULL,

	/** What was granted in about its last second. */
	RELAXED,

	/** Everything: the table of rates is not logged, and a standby has none. */
	UNLOGGED

}
