package dev.sluice.autoconfigure.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.throttle.SluiceStoreProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;

/**
 * The connections of the store: to the database of the application's pool, but in a
 * separate pool, so that calls are decided while the application uses all of its
 * connections.
 */
final class JdbcStoreConnections implements DisposableBean {

	private static final String NAME = "sluice-store";

	/** Minimum that Hikari accepts. */
	private static final Duration SHORTEST_WAIT = Duration.ofMillis(250);

	private final DataSource dataSource;

	private final @Nullable HikariDataSource own;

	private JdbcStoreConnections(DataSource dataSource, @Nullable HikariDataSource own) {
		this.dataSource = dataSource;
		this.own = own;
	}

	/** Uses connections as they are. */
	static JdbcStoreConnections shared(DataSource dataSource, SluiceStoreProperties.Jdbc properties) {
		HikariDataSource pool = pool(dataSource);
		if (pool != null && pool.getMaximumPoolSize() < properties.connections()) {
			throw new InvalidConfigurationException(
					"The pool of the @SluiceDataSource bean has " + pool.getMaximumPoolSize()
							+ " connection, and limits in PostgreSQL need " + properties.connections()
							+ ", one of which listens.",
					"Give the pool more connections, or set 'sluice.store.jdbc.listen' to false.");
		}
		return new JdbcStoreConnections(dataSource, null);
	}

	/**
	 * Opens a pool with the settings of the application's pool. If the application has no
	 * pool, or one that is not Hikari's, the new pool takes its connections from the
	 * application's data source. The transaction isolation is not the application's,
	 * because a decision must read all that was committed before it. One connection
	 * listens for as long as the application runs. No connection is opened yet, so that
	 * the application starts while the database is unavailable.
	 */
	static JdbcStoreConnections own(DataSource application, SluiceStoreProperties.Jdbc properties) {
		HikariConfig settings = new HikariConfig();
		HikariDataSource pool = pool(application);
		if (pool != null) {
			pool.copyStateTo(settings);
		}
		else {
			settings.setDataSource(application);
		}
		settings.setPoolName(NAME);
		settings.setMaximumPoolSize(properties.poolSize());
		settings.setMinimumIdle(0);
		settings.setReadOnly(false);
		settings.setAutoCommit(true);
		settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		settings.setLeakDetectionThreshold(0);
		settings.setConnectionTimeout(Collections.max(List.of(properties.timeout(), SHORTEST_WAIT)).toMillis());
		settings.setValidationTimeout(SHORTEST_WAIT.toMillis());
		settings.setInitializationFailTimeout(-1);
		HikariDataSource own = new HikariDataSource(settings);
		return new JdbcStoreConnections(own, own);
	}

	private static @Nullable HikariDataSource pool(DataSource dataSource) {
		try {
			return dataSource.isWrapperFor(HikariDataSource.class) ? dataSource.unwrap(HikariDataSource.class) : null;
		}
		catch (SQLException ex) {
			return null;
		}
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	@Override
	public void destroy() {
		if (this.own != null) {
			this.own.close();
		}
	}

}
