package dev.sluice.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Output of a separate JVM, which ran nothing else before.
 *
 * @param exitCode how it ended; 0 is well
 * @param lines its standard output
 */
public record Fork(int exitCode, List<String> lines) {

	/**
	 * Runs a main class on this JVM's class path and waits for its end.
	 * @param options the JVM's options
	 * @param main the class
	 * @param arguments its arguments
	 * @return how it went
	 */
	public static Fork run(List<String> options, Class<?> main, Object... arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		Stream.of(arguments).map(String::valueOf).forEach(command::add);
		try {
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			try (BufferedReader output = process.inputReader()) {
				return new Fork(process.waitFor(), output.lines().toList());
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while " + main.getName() + " ran", ex);
		}
	}

	/**
	 * Returns the lines of a fork that ended well.
	 * @return its output
	 * @throws IllegalStateException if it ended otherwise
	 */
	public List<String> linesOrThrow() {
		if (this.exitCode != 0) {
			throw new IllegalStateException("The forked JVM ended with " + this.exitCode + ": " + this.lines);
		}
		return this.lines;
	}

}
