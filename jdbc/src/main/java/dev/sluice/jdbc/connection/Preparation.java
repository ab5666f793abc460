package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

import javax.sql.DataSource;

/**
 * Preparation of the database for limits: product, isolation, tables, functions and
 * rights. The preparation succeeds once, at the start or as soon as the database is
 * available.
 */
public final class Preparation {

	/*
	 * The thread that starts the store calls this class, and later the probe does. The
	 * first connection may take longer than the timeout of a call, as the driver resolves
	 * names and negotiates encryption. While the pool reports no failure, the start waits
	 * for that connection.
	 *
	 * Attacked by JdbcStartTests.
	 */

	private static final String PRODUCT = "PostgreSQL";

	private static final int OLDEST = 13;

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(30);

	private final Database database;

	private final String schema;

	private final boolean create;

	private final boolean logged;

	private volatile boolean done;

	/**
	 * Creates a preparation; opens no connection.
	 * @param database the database
	 * @param schema the schema of the functions; empty for the search path
	 * @param create whether to create tables and functions that are missing or old
	 * @param logged whether the server is to write the table of rates to its log
	 */
	public Preparation(Database database, String schema, boolean create, boolean logged) {
		this.database = database;
		this.schema = schema;
		this.create = create;
		this.logged = logged;
	}

	/**
	 * Prepares the database at the start.
	 * @param pool the pool of connections
	 * @param node the name of this node
	 * @throws SQLException if the database is unavailable or cannot be used as it is
	 */
	public void start(DataSource pool, String node) throws SQLException {
		try (Session session = first(pool)) {
			run(session.connection(), node);
		}
	}

	private static Session first(DataSource pool) throws SQLException {
		long begin = System.nanoTime();
		while (true) {
			try {
				return Session.open(pool, NETWORK_TIMEOUT);
			}
			catch (SQLTransientConnectionException ex) {
				boolean pending = ex.getSQLState() == null && ex.getCause() == null;
				if (!pending || System.nanoTime() - begin >= PATIENCE.toNanos()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Performs the operations of calls on the database, to check that calls would
	 * succeed. Until this has succeeded once, each run prepares the database first.
	 * @param connection a connection in autocommit mode
	 * @param node the name of this node
	 * @throws SQLException if calls would fail
	 */
	public void run(Connection connection, String node) throws SQLException {
		if (!this.done) {
			connection.setNetworkTimeout(Runnable::run, (int) NETWORK_TIMEOUT.toMillis());
			requireSupported(connection.getMetaData());
			this.database.learnIsolation(connection);
			String mistake = new Schema(this.schema).prepare(connection, this.create, this.logged);
			if (mistake != null) {
				throw new UnusableDatabaseException(mistake, true);
			}
		}
		this.database.call(connection, "sluice_probe(?)", node);
		this.done = true;
	}

	private static void requireSupported(DatabaseMetaData database) throws SQLException {
		if (!database.getDatabaseProductName().equals(PRODUCT) || database.getDatabaseMajorVersion() < OLDEST) {
			throw new UnusableDatabaseException("Limits need " + PRODUCT + ' ' + OLDEST
					+ " or newer, and the database of the DataSource is " + database.getDatabaseProductName() + ' '
					+ database.getDatabaseMajorVersion() + ": " + database.getURL(), false);
		}
	}

}
