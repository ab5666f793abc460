package dev.sluice.jdbc.fault;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.jdbc.JdbcThrottleStore;
import dev.sluice.jdbc.PgBouncer;
import dev.sluice.jdbc.PostgresServer;
import org.awaitility.Awaitility;

/** A role with a schema and a pool of its own, and an operator whom no fault concerns. */
final class JdbcFaultSite implements AutoCloseable {

	static final List<String> TABLES = List.of("sluice_rate", "sluice_hold", "sluice_line", "sluice_limit",
			"sluice_node");

	static final List<String> FUNCTIONS = List.of("sluice_take", "sluice_enter", "sluice_leave", "sluice_probe");

	static final int POOL_SIZE = 4;

	private final String name;

	private final String url;

	private final boolean listen;

	private Connection operator;

	private final List<Connection> locks = new ArrayList<>();

	private final List<Connection> taken = new ArrayList<>();

	private final List<HikariDataSource> pools = new ArrayList<>();

	private final AtomicLong attempts = new AtomicLong();

	private List<String> stopped = List.of();

	JdbcFaultSite() throws SQLException {
		this(PostgresServer.url());
	}

	/** Creates a site whose stores connect to the given URL. */
	JdbcFaultSite(String url) throws SQLException {
		this(newName(), url, true);
	}

	/** Creates a site whose stores connect to the given URL, and may not listen. */
	JdbcFaultSite(String name, String url, boolean listen) throws SQLException {
		this.name = name;
		this.url = url;
		this.listen = listen;
		this.operator = DriverManager.getConnection(PostgresServer.url());
		execute("CREATE ROLE %s LOGIN");
		execute("ALTER ROLE %s SET synchronous_commit = on");
		execute("CREATE SCHEMA %s AUTHORIZATION %s");
	}

	/** Returns a name for the role and the schema of a site. */
	static String newName() {
		return "app_" + UUID.randomUUID().toString().substring(0, 8);
	}

	JdbcThrottleStore.Builder store() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(urlOfRole());
		pool.setMaximumPoolSize(POOL_SIZE);
		pool.setMinimumIdle(0);
		pool.setConnectionTimeout(500);
		this.pools.add(pool);
		return JdbcThrottleStore.builder(counted(pool))
			.schema(this.name)
			.initializeSchema(true)
			.poolSize(POOL_SIZE)
			.listen(this.listen)
			.timeout(Duration.ofMillis(500));
	}

	/** Returns what can happen; only behind PgBouncer stores may not listen. */
	Set<JdbcFault> faults() {
		return this.listen ? JdbcFault.WITHOUT_PGBOUNCER : EnumSet.allOf(JdbcFault.class);
	}

	/** Returns how often a connection was taken or a statement was sent. */
	long attempts() {
		return this.attempts.get();
	}

	/** Returns how many connections of the role the server has. */
	int backends() throws SQLException {
		return pids().size();
	}

	private List<String> pids() throws SQLException {
		List<String> pids = new ArrayList<>();
		try (Statement statement = this.operator.createStatement();
				ResultSet rows = statement
					.executeQuery("SELECT pid FROM pg_stat_activity WHERE usename = '" + this.name + "'")) {
			while (rows.next()) {
				pids.add(rows.getString(1));
			}
		}
		return pids;
	}

	/** Returns how many rows a table has. */
	int rows(String table) throws SQLException {
		try (Statement statement = this.operator.createStatement();
				ResultSet row = statement.executeQuery("SELECT count(*) FROM " + this.name + '.' + table)) {
			row.next();
			return row.getInt(1);
		}
	}

	/** Kills a process of the server, which therefore ends all others and recovers. */
	void crash() throws Exception {
		String pid;
		try (Statement statement = this.operator.createStatement();
				ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
			row.next();
			pid = row.getString(1);
		}
		new ProcessBuilder("kill", "-KILL", pid).start().waitFor();
		Awaitility.await().ignoreExceptionsInstanceOf(SQLException.class).until(() -> !this.operator.isValid(1));
		Awaitility.await().ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
			this.operator = DriverManager.getConnection(PostgresServer.url());
			return true;
		});
	}

	/** Executes a statement in which each placeholder stands for the role or schema. */
	void execute(String sql) throws SQLException {
		try (Statement statement = this.operator.createStatement()) {
			statement.execute(sql.formatted(this.name, this.name));
		}
	}

	void inSchema(String sql) throws SQLException {
		execute("SET search_path TO %s");
		execute(sql);
	}

	void terminate() throws SQLException {
		execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '%s'");
	}

	void lock(String sql) throws SQLException {
		Connection connection = DriverManager.getConnection(PostgresServer.url());
		this.locks.add(connection);
		connection.setSchema(this.name);
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	void unlock() throws SQLException {
		for (Connection connection : this.locks) {
			connection.close();
		}
		this.locks.clear();
	}

	/** Has each write fail as if the server had failed it. */
	void failWrites(String state) throws SQLException {
		inSchema("CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS "
				+ "$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '" + state + "'; END $$");
		for (String table : TABLES) {
			inSchema("CREATE TRIGGER failing BEFORE INSERT OR UPDATE OR DELETE ON " + table
					+ " FOR EACH STATEMENT EXECUTE FUNCTION failing()");
		}
	}

	void allowWrites() throws SQLException {
		inSchema("DROP FUNCTION failing() CASCADE");
	}

	/** Takes all connections of the pools, except those that listen. */
	void takeConnections() throws SQLException {
		for (HikariDataSource pool : this.pools) {
			for (int i = 0; i < (this.listen ? POOL_SIZE - 1 : POOL_SIZE); i++) {
				this.taken.add(take(pool));
			}
		}
	}

	private static Connection take(HikariDataSource pool) throws SQLException {
		while (true) {
			try {
				return pool.getConnection();
			}
			catch (SQLException ex) {
				if (pool.isClosed()) {
					throw ex;
				}
			}
		}
	}

	void returnConnections() throws SQLException {
		for (Connection connection : this.taken) {
			connection.close();
		}
		this.taken.clear();
	}

	/** Begins transactions, as many as PgBouncer has connections to the server. */
	void beginTransactions() throws SQLException {
		for (int i = 0; i < PgBouncer.POOL_SIZE; i++) {
			Connection connection = DriverManager.getConnection(urlOfRole());
			this.taken.add(connection);
			connection.setAutoCommit(false);
			try (Statement statement = connection.createStatement()) {
				statement.execute("SELECT 1");
			}
		}
	}

	private String urlOfRole() {
		return this.url.replace("user=postgres", "user=" + this.name);
	}

	/** Sends a signal to the server and its processes for the role. */
	void signal(String signal) throws Exception {
		if (this.stopped.isEmpty()) {
			this.stopped = pids();
			try (Statement statement = this.operator.createStatement();
					ResultSet row = statement
						.executeQuery("SELECT split_part(pg_read_file('postmaster.pid'), chr(10), 1)")) {
				row.next();
				this.stopped.add(row.getString(1));
			}
		}
		for (String pid : this.stopped) {
			new ProcessBuilder("kill", "-" + signal, pid).start().waitFor();
		}
		if (signal.equals("CONT")) {
			this.stopped = List.of();
		}
	}

	private DataSource counted(HikariDataSource pool) {
		return (DataSource) counted(DataSource.class, pool);
	}

	private Object counted(Class<?> type, Object target) {
		return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> {
					if (method.getName().startsWith("execute")) {
						this.attempts.incrementAndGet();
					}
					try {
						Object result = method.invoke(target, arguments);
						boolean wrap = result instanceof Connection || result instanceof Statement;
						return (wrap && !method.getName().equals("unwrap")) ? counted(method.getReturnType(), result)
								: result;
					}
					catch (InvocationTargetException ex) {
						if (method.getName().equals("getConnection")) {
							this.attempts.incrementAndGet();
						}
						throw ex.getCause();
					}
				});
	}

	@Override
	public void close() throws SQLException {
		unlock();
		returnConnections();
		this.pools.forEach(HikariDataSource::close);
		execute("DROP OWNED BY %s CASCADE");
		execute("DROP ROLE %s");
		this.operator.close();
	}

}
