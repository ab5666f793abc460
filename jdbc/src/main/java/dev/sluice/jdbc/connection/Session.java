package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/**
 * Connection of a pool with the settings that statements of the store need; it returns to
 * the pool with its own.
 */
public final class Session implements AutoCloseable {

	/*
	 * Only settings of the driver are changed here, which cost no round trip. Settings of
	 * the server are those of a transaction, as PgBouncer may give the next transaction
	 * another connection of the server, and this one to another application.
	 *
	 * Attacked by JdbcPoolTests.
	 */

	private static final System.Logger LOGGER = System.getLogger(Session.class.getName());

	private final Connection connection;

	private boolean autoCommit = true;

	private boolean readOnly;

	private int networkTimeout;

	private Session(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Takes a connection.
	 * @param pool its pool
	 * @param networkTimeout time after which the driver closes a connection that is
	 * silent
	 * @return the connection, in autocommit and not read-only
	 * @throws SQLException if there is none, or it cannot be set as needed
	 */
	public static Session open(DataSource pool, Duration networkTimeout) throws SQLException {
		Session session = new Session(pool.getConnection());
		try {
			session.prepare((int) Math.min(Integer.MAX_VALUE, networkTimeout.toMillis()));
			return session;
		}
		catch (SQLException | RuntimeException ex) {
			session.close();
			throw ex;
		}
	}

	private void prepare(int millis) throws SQLException {
		this.autoCommit = this.connection.getAutoCommit();
		this.readOnly = this.connection.isReadOnly();
		this.networkTimeout = this.connection.getNetworkTimeout();
		if (!this.autoCommit) {
			this.connection.setAutoCommit(true);
		}
		if (this.readOnly) {
			this.connection.setReadOnly(false);
		}
		this.connection.setNetworkTimeout(Runnable::run, millis);
	}

	/**
	 * Returns the connection.
	 * @return it, until this is closed
	 */
	public Connection connection() {
		return this.connection;
	}

	/** Restores the settings of the connection, and returns it to its pool. */
	@Override
	public void close() {
		try (Connection returned = this.connection) {
			if (!returned.isClosed()) {
				returned.setNetworkTimeout(Runnable::run, this.networkTimeout);
				if (this.readOnly) {
					returned.setReadOnly(true);
				}
				if (!this.autoCommit) {
					returned.setAutoCommit(false);
				}
			}
		}
		catch (SQLException ex) {
			LOGGER.log(System.Logger.Level.DEBUG, "A connection is returned to its pool as it is", ex);
		}
	}

	/** Returns the network time-out that lets the server answer before it. */
	static Duration networkTimeout(Duration timeout) {
		return Duration.ofSeconds(querySeconds(timeout)).plusMillis(TimeUnit.SECONDS.toMillis(1) / 2);
	}

	/**
	 * Returns after how many seconds the driver asks the server to cancel a statement.
	 */
	static int querySeconds(Duration timeout) {
		return (int) Math.min(Integer.MAX_VALUE / 2000, timeout.plusMillis(999).toSeconds());
	}

}
