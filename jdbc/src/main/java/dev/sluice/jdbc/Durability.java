package dev.sluice.jdbc;

/**
 * Choice of what a crash of the database server may forget.
 *
 * @since 0.1.0
 */
public enum Durability {

	/** Nothing: a commit has reached the disk before a call is told. */
	FULL,

	/** The last moments, below a second by the server's defaults: commits do not wait. */
	RELAXED,

	/**
	 * As {@link #RELAXED}, for rates in tables without a log, which are empty after a
	 * crash. The store alters the tables only if it may create them.
	 */
	UNLOGGED

}
