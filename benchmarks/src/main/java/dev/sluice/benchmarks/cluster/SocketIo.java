package dev.sluice.benchmarks.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Socket.IO with its adapter over Redis Streams, which npm brings into a folder below
 * {@code target}.
 *
 * @param directory the folder
 */
record SocketIo(Path directory) {

	private static final String SCRIPT = "socket-io.mjs";

	/** Installs it, where there is Node and npm. */
	static Optional<SocketIo> install() {
		Path directory = Path.of("benchmarks", "target", "socket-io").toAbsolutePath();
		try (InputStream script = Objects.requireNonNull(SocketIo.class.getResourceAsStream(SCRIPT))) {
			Files.createDirectories(directory);
			Files.copy(script, directory.resolve(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
			Process npm = new ProcessBuilder("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix",
					directory.toString(), "socket.io@4.8", "@socket.io/redis-streams-adapter@0.3", "ioredis@5")
				.directory(directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			return (npm.waitFor() == 0) ? Optional.of(new SocketIo(directory)) : Optional.empty();
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while npm ran", ex);
		}
	}

	NodeProcess start(int redis) {
		return new NodeProcess(List.of("node", SCRIPT, "" + redis), this.directory);
	}

}
