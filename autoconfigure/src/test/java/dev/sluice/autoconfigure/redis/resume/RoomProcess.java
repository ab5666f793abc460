package dev.sluice.autoconfigure.redis.resume;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A {@link RoomApplication} that is a process of its own. */
final class RoomProcess implements AutoCloseable {

	private static final String PORT = "port ";

	private final Process process;

	private final CompletableFuture<Integer> port = new CompletableFuture<>();

	/** Lines of its log at level ERROR. */
	final Queue<String> errors = new ConcurrentLinkedQueue<>();

	RoomProcess(int redis, String... properties) {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
				"-Xmx512m", "-cp", System.getProperty("java.class.path"), RoomApplication.class.getName(), "" + redis));
		command.addAll(List.of(properties));
		try {
			this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread reader = new Thread(this::read, "process-output");
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		try (BufferedReader output = this.process.inputReader()) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.startsWith(PORT)) {
					this.port.complete(Integer.valueOf(line.substring(PORT.length())));
				}
				else {
					System.out.println(line);
				}
				if (line.contains(" ERROR ")) {
					this.errors.add(line);
				}
			}
		}
		catch (IOException ex) {
			// it was killed
		}
		this.port.completeExceptionally(new IllegalStateException("It has ended"));
	}

	/** Waits until it serves. */
	int port() {
		return this.port.orTimeout(2, TimeUnit.MINUTES).join();
	}

	/** Has it stop in order, and waits for that. */
	void stop() throws IOException, InterruptedException {
		this.process.getOutputStream().write('\n');
		this.process.getOutputStream().flush();
		assertThat(this.process.waitFor(2, TimeUnit.MINUTES)).as("It ends").isTrue();
		assertThat(this.process.exitValue()).isZero();
	}

	/** Kills it; what it has printed can still be read. */
	void kill() {
		this.process.toHandle().destroyForcibly();
		try {
			this.process.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		kill();
	}

}
