package dev.sluice.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
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
	static NodeProcess sluice(int redis) {
		return new NodeProcess(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms512m", "-Xmx512m",
						"-cp", System.getProperty("java.class.path"), ClusterNode.class.getName(), "" + redis),
				Path.of("."));
	}

	int port() {
		return this.port;
	}

	void publish(int messages) {
		try {
			this.input.write(messages + "\n");
			this.input.flush();
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
