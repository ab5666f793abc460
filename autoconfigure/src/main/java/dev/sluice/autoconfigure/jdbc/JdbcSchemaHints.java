package dev.sluice.autoconfigure.jdbc;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The tables and functions of limits in PostgreSQL, for a native image. */
class JdbcSchemaHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("dev/sluice/jdbc/*.sql");
	}

}
