package dev.sluice.benchmarks.websocket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An {@link EchoServer} in a JVM of its own. */
final class ServerProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private final Writer input;

	private final int port;

	/** Starts the server and waits until it serves. */
	ServerProcess(Contender contender, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms1g", "-Xmx2g", "-cp",
						System.getProperty("java.class.path"), EchoServer.class.getName(),
						"--sluice.websocket.enabled=" + (contender == Contender.SLUICE)));
		command.addAll(List.of(arguments));
		try {
			this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.output = this.process.inputReader();
		this.input = this.process.outputWriter();
		this.port = Integer.parseInt(line());
	}

	int port() {
		return this.port;
	}

	/** The bytes that live in the server's heap after collections. */
	long liveBytes() {
		try {
			this.input.write("\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return Long.parseLong(line());
	}

	private String line() {
		try {
			String line = this.output.readLine();
			if (line == null) {
				throw new IllegalStateException("The server has ended");
			}
			return line;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
