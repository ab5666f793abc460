package dev.sluice.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** An application of its own on the class path of this one, and what it has printed. */
public final class JavaProcess implements AutoCloseable {

	private final Process process;

	private final Queue<String> lines = new ConcurrentLinkedQueue<>();

	private final Thread reader = new Thread(this::read, "process-output");

	private JavaProcess(Process process) {
		this.process = process;
		this.reader.start();
	}

	public static JavaProcess start(Class<?> main, String... arguments) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-Xmx256m", "-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		try {
			return new JavaProcess(
					RedisServer.start(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Ends when the process does. */
	private void read() {
		try (BufferedReader output = this.process.inputReader()) {
			String line;
			while ((line = output.readLine()) != null) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			// it was killed
		}
	}

	/** Waits until it has printed a line, which is taken away. */
	public void awaitLine(String line) {
		await().atMost(120, TimeUnit.SECONDS).until(() -> this.lines.remove(line));
	}

	public void tellToBegin() {
		tell("");
	}

	/** Has it read a line. */
	public void tell(String line) {
		try {
			this.process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns what it has printed so far. */
	public List<String> printed() {
		return List.copyOf(this.lines);
	}

	/** Waits until it has ended by itself, and returns what it has printed. */
	public List<String> awaitEnd() throws InterruptedException {
		assertThat(this.process.waitFor(120, TimeUnit.SECONDS)).as("It ends").isTrue();
		assertThat(this.process.exitValue()).isZero();
		return lines();
	}

	/** Stops it as a debugger would. */
	public void pause() {
		RedisServer.signal(this.process, "STOP");
	}

	public void goOn() {
		RedisServer.signal(this.process, "CONT");
	}

	/** Kills it, and returns what it has printed. */
	public List<String> kill() throws InterruptedException {
		close();
		return lines();
	}

	private List<String> lines() throws InterruptedException {
		this.reader.join();
		return List.copyOf(this.lines);
	}

	@Override
	public void close() {
		RedisServer.kill(this.process);
	}

}
