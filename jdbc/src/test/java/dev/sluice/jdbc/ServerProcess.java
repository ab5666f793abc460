package dev.sluice.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;

/**
 * A process that listens at a port. Neither PostgreSQL nor PgBouncer runs as root, so
 * root starts them in a namespace in which it is somebody else.
 */
final class ServerProcess implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final Process process;

	private final Path folder;

	private ServerProcess(Process process, Path folder) {
		this.process = process;
		this.folder = folder;
	}

	static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	/** Runs a program to its end. */
	static void run(Path folder, String... command) throws IOException {
		Process process = begin(folder, command);
		try {
			if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new IOException("Failed; see " + folder + "/log");
			}
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	/** Starts a program, and waits until it listens. */
	static ServerProcess start(Path folder, int port, String... command) throws IOException {
		Process process = begin(folder, command);
		Awaitility.await().atMost(PATIENCE).until(() -> {
			if (!process.isAlive()) {
				throw new IOException("Ended; see " + folder + "/log");
			}
			try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
				return socket.isConnected();
			}
			catch (IOException ex) {
				return false;
			}
		});
		return new ServerProcess(process, folder);
	}

	private static Process begin(Path folder, String... command) throws IOException {
		List<String> whole = new ArrayList<>();
		if (System.getProperty("user.name").equals("root")) {
			whole.addAll(List.of("unshare", "-U"));
		}
		whole.addAll(List.of(command));
		return new ProcessBuilder(whole).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
			.start();
	}

	/** Stops it as a debugger would, and not what it has started. */
	void pause() throws IOException {
		signal("STOP");
	}

	void goOn() throws IOException {
		signal("CONT");
	}

	/** Ends it and all that it has started, at once. */
	void kill() {
		List<ProcessHandle> children = this.process.descendants().toList();
		this.process.destroyForcibly();
		children.forEach(ProcessHandle::destroyForcibly);
	}

	private void signal(String name) throws IOException {
		try {
			new ProcessBuilder("kill", "-" + name, "" + this.process.pid()).start().waitFor();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	private static void delete(Path folder) throws IOException {
		try (Stream<Path> files = Files.walk(folder)) {
			for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
	}

	@Override
	public void close() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
			delete(this.folder);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
