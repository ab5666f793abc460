package dev.sluice.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

/**
 * Connection of a pool with the settings that statements of the store need. Before the
 * connection returns to the pool, its previous settings are restored.
 */
public final class Session implements AutoCloseable {

	/*
	 * This class changes only settings of the driver, which cost no round trip. Settings
	 * of the server apply to one transaction: PgBouncer may run the next transaction on
	 * another connection of the server, and assign this connection to another
	 * application.
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
	 * Takes a connection from a pool.
	 * @param pool the pool
	 * @param networkTimeout the time after which the driver closes a silent connection
	 * @return the connection, in autocommit mode and not read-only
	 * @throws SQLException if no connection is available, or if a setting is rejected
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
	 * @return the connection, which is usable until this session is closed
	 */
	public Connection connection() {
		return this.connection;
	}

	/** Restores the settings of the connection and returns it to its pool. */
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

	/** Returns a network time-out that is longer than the server needs to answer. */
	static Duration networkTimeout(Duration timeout) {
		return Duration.ofSeconds(querySeconds(timeout)).plusMillis(TimeUnit.SECONDS.toMillis(1) / 2);
	}

	/**
	 * Returns the number of seconds after which the driver requests the server to cancel
	 * a statement.
	 */
	static int querySeconds(Duration timeout) {
		return (int) Math.min(Integer.MAX_VALUE / 2000, timeout.plusMillis(999).toSeconds());
	}

}
