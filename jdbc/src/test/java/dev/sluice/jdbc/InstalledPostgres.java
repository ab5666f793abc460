package dev.sluice.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

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
		Path binaries = binaries().orElseThrow();
		Path folder = Files.createTempDirectory("sluice-postgres");
		int port = ServerProcess.freePort();
		ServerProcess.run(folder, binaries.resolve("initdb").toString(), "-D", "data", "-U", "postgres", "-A", "trust",
				"-E", "UTF8", "--no-sync");
		ServerProcess process = ServerProcess.start(folder, port, binaries.resolve("postgres").toString(), "-D", "data",
				"-p", "" + port, "-k", folder.toString(), "-c", "fsync=off");
		return new InstalledPostgres(process, port);
	}

	String url() {
		return "jdbc:postgresql://localhost:" + this.port + "/postgres?user=postgres";
	}

	@Override
	public void close() throws IOException {
		this.process.close();
	}

}
