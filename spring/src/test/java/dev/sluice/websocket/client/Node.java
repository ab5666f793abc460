package dev.sluice.websocket.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process of Node, which runs the client of the browser. Where there is none, or an old
 * one, it cannot be made, and says what to install.
 */
final class Node implements AutoCloseable {

	private static final String REMEDY = "The tests of sluice-client.js need Node 20.10 or newer: "
			+ "apt-get install nodejs, or https://nodejs.org; -Pno-browser leaves them out";

	private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\..*");

	private static final Path SCRIPTS = Path.of("src/test/js").toAbsolutePath();

	private final Process process;

	private final Writer input;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Thread reader;

	Node(String... arguments) throws IOException {
		this(command(arguments));
	}

	private Node(List<String> command) throws IOException {
		this.process = new ProcessBuilder(command).directory(SCRIPTS.toFile()).redirectErrorStream(true).start();
		this.input = this.process.outputWriter(StandardCharsets.UTF_8);
		this.reader = new Thread(this::read, "node-output");
		this.reader.setDaemon(true);
		this.reader.start();
	}

	private static List<String> command(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(find().toString()));
		if (majorVersion() < 22) {
			command.add("--experimental-websocket");
		}
		command.add("--no-warnings");
		command.addAll(Arrays.asList(arguments));
		return command;
	}

	private static Path find() {
		return Stream.of(System.getenv("PATH").split(":"))
			.map((directory) -> Path.of(directory, "node"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElseThrow(() -> new AssertionError("There is no node on the PATH. " + REMEDY));
	}

	private static int majorVersion() throws IOException {
		try (Node node = new Node(List.of(find().toString(), "--version"))) {
			String version = node.line();
			Matcher matcher = VERSION.matcher(version);
			if (!matcher.matches() || Integer.parseInt(matcher.group(1)) < 20
					|| (Integer.parseInt(matcher.group(1)) == 20 && Integer.parseInt(matcher.group(2)) < 10)) {
				throw new AssertionError("The node on the PATH is " + version + ". " + REMEDY);
			}
			return Integer.parseInt(matcher.group(1));
		}
	}

	private void read() {
		try (BufferedReader output = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			output.lines().forEach(this.lines::add);
		}
		catch (IOException | RuntimeException ignored) {
			// The process was ended.
		}
	}

	/** The next line that it writes. */
	String line() {
		try {
			String line = this.lines.poll(60, TimeUnit.SECONDS);
			if (line == null) {
				throw new AssertionError("Node has written nothing for 60 s");
			}
			return line;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	void tell(String line) throws IOException {
		this.input.write(line + "\n");
		this.input.flush();
	}

	/** Waits for its end, and returns all that it has written. */
	String output() throws InterruptedException {
		if (!this.process.waitFor(5, TimeUnit.MINUTES)) {
			throw new AssertionError("Node has not ended within 5 min: " + this.lines);
		}
		this.reader.join();
		return String.join("\n", this.lines);
	}

	int exitValue() {
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
