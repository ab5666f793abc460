package dev.sluice.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/** A server of the PostgreSQL that is installed on this machine, as Debian does. */
final class InstalledPostgres implements AutoCloseable {

	private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

	private final ServerProcess process;

	private final int port;

	private InstalledPostgres(ServerProcess process, int port) {
		this.process = process;
		this.port = port;
	}

	/** Returns where the programs of the newest one are. */
	static Optional<Path> binaries() {
		try (Stream<Path> versions = Files.list(INSTALLED)) {
			return versions.map((version) -> version.resolve("bin"))
				.filter((binaries) -> Files.isExecutable(binaries.resolve("initdb")))
				.max(Comparator.naturalOrder());
		}
		catch (IOException ex) {
			return Optional.empty();
		}
	}

	static InstalledPostgres start() throws IOException {
		Path folder = Files.createTempDirectory("sluice-postgres");
		ServerProcess.run(folder, program("initdb"), "-D", "data", "-U", "postgres", "-A", "trust", "-E", "UTF8",
				"--no-sync");
		return start(folder);
	}

	/** Starts a server that follows this one until it is promoted. */
	InstalledPostgres startStandby() throws IOException {
		Path folder = Files.createTempDirectory("sluice-standby");
		ServerProcess.run(folder, program("pg_basebackup"), "-h", "127.0.0.1", "-p", "" + this.port, "-U", "postgres",
				"-D", "data", "-R", "-c", "fast", "--no-sync");
		return start(folder);
	}

	private static InstalledPostgres start(Path folder) throws IOException {
		int port = ServerProcess.freePort();
		ServerProcess process = ServerProcess.start(folder, port, program("postgres"), "-D", "data", "-p", "" + port,
				"-k", folder.toString(), "-c", "fsync=off");
		InstalledPostgres server = new InstalledPostgres(process, port);
		Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptionsInstanceOf(SQLException.class).until(() -> {
			DriverManager.getConnection(server.url()).close();
			return true;
		});
		return server;
	}

	private static String program(String name) {
		return binaries().orElseThrow().resolve(name).toString();
	}

	ServerProcess process() {
		return this.process;
	}

	String address() {
		return "localhost:" + this.port;
	}

	String url() {
		return "jdbc:postgresql://" + address() + "/postgres?user=postgres";
	}

	@Override
	public void close() {
		this.process.close();
	}

}
