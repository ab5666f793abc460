package dev.sluice.jdbc;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** PgBouncer of this machine, in transaction mode, before the server of the tests. */
public final class PgBouncer implements AutoCloseable {

	/** Maximum number of connections to the server. */
	public static final int POOL_SIZE = 8;

	private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

	private final ServerProcess process;

	private final int port;

	private PgBouncer(ServerProcess process, int port) {
		this.process = process;
		this.port = port;
	}

	public static boolean isInstalled() {
		return Files.isExecutable(PROGRAM);
	}

	public static PgBouncer start() throws IOException {
		return start("postgres");
	}

	/** Starts one that connects to the server as the given role. */
	public static PgBouncer start(String role) throws IOException {
		int server = URI.create(PostgresServer.url().substring("jdbc:".length())).getPort();
		int port = ServerProcess.freePort();
		Path folder = Files.createTempDirectory("sluice-pgbouncer");
		Files.writeString(folder.resolve("pgbouncer.ini"), """
				[databases]
				postgres = host=127.0.0.1 port=%d user=%s
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = any
				pool_mode = transaction
				default_pool_size = %d
				server_login_retry = 1
				ignore_startup_parameters = extra_float_digits
				""".formatted(server, role, port, POOL_SIZE));
		return new PgBouncer(ServerProcess.start(folder, port, PROGRAM.toString(), "pgbouncer.ini"), port);
	}

	public int port() {
		return this.port;
	}

	public String url() {
		return "jdbc:postgresql://127.0.0.1:" + this.port + "/postgres?user=postgres";
	}

	@Override
	public void close() throws IOException {
		this.process.close();
	}

}
