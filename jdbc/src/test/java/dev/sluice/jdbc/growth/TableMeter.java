package dev.sluice.jdbc.growth;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.sluice.jdbc.PostgresServer;

/** Sizes of the tables of a schema, and what the server has read of them. */
final class TableMeter implements AutoCloseable {

	private static final String SAMPLE = "SELECT rows, overdue, bytes, vacuums, pages FROM (SELECT count(*) AS rows, "
			+ "greatest(0, max(sluice_now() - ends)) AS overdue FROM sluice_rate WHERE ends > 0) rates, "
			+ "(SELECT sum(pg_total_relation_size(relid)) AS bytes, max(autovacuum_count) AS vacuums, "
			+ "sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)) AS pages "
			+ "FROM pg_stat_user_tables t JOIN pg_statio_user_tables USING (relid) "
			+ "WHERE t.schemaname = current_schema()) tables";

	private final Connection connection;

	private final Statement statement;

	private long calls;

	private long regularCalls;

	private long nanos;

	private long pages;

	TableMeter(String schema) throws SQLException {
		this.connection = DriverManager.getConnection(PostgresServer.url());
		this.connection.setSchema(schema);
		this.statement = this.connection.createStatement();
	}

	/** Returns what has changed since the last sample. */
	TableSample sample(long newKeys, long regularCalls, long regularNanos) throws SQLException {
		try (ResultSet row = this.statement.executeQuery(SAMPLE)) {
			row.next();
			long read = row.getLong(5) - this.pages;
			this.pages += read;
			TableSample sample = new TableSample(newKeys + regularCalls - this.calls, row.getLong(1),
					Duration.of(row.getLong(2), ChronoUnit.MICROS), row.getLong(3), row.getLong(4), read,
					regularCalls - this.regularCalls, regularNanos - this.nanos);
			this.calls = newKeys + regularCalls;
			this.regularCalls = regularCalls;
			this.nanos = regularNanos;
			return sample;
		}
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

}
