package dev.sluice.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;

import javax.sql.DataSource;

import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Rejects a database that does not support limits. A database that is unavailable is not
 * rejected.
 */
final class DatabaseCheck {

	private static final Log logger = LogFactory.getLog(DatabaseCheck.class);

	private static final String PRODUCT = "PostgreSQL";

	private static final int OLDEST = 13;

	private DatabaseCheck() {
	}

	/** Connects once, and waits no longer than the pool does. */
	static void check(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			DatabaseMetaData database = connection.getMetaData();
			if (!database.getDatabaseProductName().equals(PRODUCT) || database.getDatabaseMajorVersion() < OLDEST) {
				throw new InvalidConfigurationException(
						"Limits are to be kept in PostgreSQL " + OLDEST
								+ " or newer by 'sluice.store.type', and the database of the " + "DataSource is "
								+ database.getDatabaseProductName() + " " + database.getDatabaseMajorVersion() + ": "
								+ database.getURL(),
						"Define a DataSource bean for PostgreSQL " + OLDEST
								+ " or newer and annotate it with @SluiceDataSource, or remove the property 'sluice.store.type'.");
			}
		}
		catch (SQLException ex) {
			logger.warn("Limit database unavailable; failure policies apply until it is back: " + ex.getMessage());
		}
	}

}
