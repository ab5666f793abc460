package dev.sluice.benchmarks.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.benchmarks.Node;

/** One statement a call, on a connection of a pool. */
final class SelectNode implements Node {

	private final HikariDataSource pool;

	SelectNode(Server server) {
		this.pool = server.pool(Server.POOL);
	}

	@Override
	public boolean tryAcquire() {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement statement = connection.prepareStatement("SELECT 1");
				ResultSet result = statement.executeQuery()) {
			return result.next();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
