package dev.sluice.benchmarks.websocket;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An {@link EchoServer} in a JVM of its own. */
final class ServerProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private final Writer input;

	private final int port;

	/** Starts the server and waits until it serves. */
	ServerProcess(Contender contender, String... arguments) {
		this(List.of("-Xms1g", "-Xmx2g"), contender, arguments);
	}

	/** Starts the server in a JVM with the options given. */
	ServerProcess(List<String> options, Contender contender, String... arguments) {
		boolean traced = Stream.of(arguments).anyMatch((argument) -> argument.startsWith("--tracer="));
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.addAll(List.of("-cp", classPath(traced), EchoServer.class.getName(),
				"--sluice.websocket.enabled=" + (contender == Contender.SLUICE),
				"--by-hand=" + (contender == Contender.BY_HAND)));
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

	/**
	 * The library that propagates a trace to other threads comes with the tracer, as in
	 * applications.
	 */
	private static String classPath(boolean traced) {
		return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> traced || !entry.contains("context-propagation"))
			.collect(Collectors.joining(File.pathSeparator));
	}

	int port() {
		return this.port;
	}

	/**
	 * The processor time that the server has used, its compiler and collector included.
	 */
	Duration processorTime() {
		return this.process.info().totalCpuDuration().orElseThrow();
	}

	/**
	 * The bytes that live in the server's heap after collections, and outside of the
	 * heap.
	 */
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
