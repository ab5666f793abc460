package dev.sluice.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A node in a process of its own, which prints its port and reads how much to publish.
 */
final class NodeProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private final Writer input;

	private final int port;

	/** Starts a node and waits until it serves. */
	NodeProcess(List<String> command, Path directory) {
		try {
			this.process = new ProcessBuilder(command).directory(directory.toFile())
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			this.output = this.process.inputReader();
			this.input = this.process.outputWriter();
			String line = this.output.readLine();
			if (line == null) {
				throw new IllegalStateException("The node has ended: " + command);
			}
			this.port = Integer.parseInt(line);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Starts a node of Sluice. */
	static NodeProcess sluice(int redis, String... properties) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms512m", "-Xmx512m",
						"-cp", System.getProperty("java.class.path"), ClusterNode.class.getName(), "" + redis));
		command.addAll(List.of(properties));
		return new NodeProcess(command, Path.of("."));
	}

	int port() {
		return this.port;
	}

	void publish(int messages) {
		write(Integer.toString(messages));
	}

	/** Has a node of Socket.IO publish numbered messages in each room. */
	void publish(int messages, int rooms) {
		write(messages + " " + rooms);
	}

	private void write(String line) {
		try {
			this.input.write(line + "\n");
			this.input.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Has the node stop in order, and waits until it has. */
	void stop() {
		try {
			this.input.close();
			if (this.process.waitFor() != 0) {
				throw new IllegalStateException("The node has ended with " + this.process.exitValue());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while a node stopped", ex);
		}
	}

	/** Kills the node, and waits until it has ended. */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	@Override
	public void close() {
		kill();
	}

}
