/**
 * Limits on many nodes, over PostgreSQL. Users need {@code dev.sluice.jdbc} alone.
 */
module dev.sluice.jdbc {

	requires transitive dev.sluice.core;
	requires transitive java.sql;
	requires static transitive org.jspecify;

	exports dev.sluice.jdbc;

}
