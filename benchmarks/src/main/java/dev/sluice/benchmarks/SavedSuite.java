package dev.sluice.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Results of a suite, in a file that is replaced when the suite is measured again: a line
 * for the environment, then one for each bar, with cells separated by tabs.
 *
 * @param suite the suite's name
 * @param jdk the version of the JDK
 * @param processors how many there were
 * @param commit the measured commit
 * @param bars the bars, in the order of the report
 */
public record SavedSuite(String suite, String jdk, int processors, String commit, List<Bar> bars) {

	private static final String EXTENSION = ".tsv";

	/**
	 * Creates the results of a suite that this JVM has measured.
	 * @param suite the name of the suite
	 * @param bars the bars
	 * @return the results
	 */
	public static SavedSuite ofThisJvm(String suite, List<Bar> bars) {
		return new SavedSuite(suite, System.getProperty("java.version"), Runtime.getRuntime().availableProcessors(),
				System.getProperty("commit", "unknown"), bars);
	}

	/**
	 * Writes the file of the suite and of the JDK's major version.
	 * @param directory where such files are
	 */
	public void save(Path directory) {
		List<String> lines = new ArrayList<>();
		lines.add(String.join("\t", this.jdk, Integer.toString(this.processors), this.commit));
		this.bars.forEach((bar) -> lines
			.add(String.join("\t", bar.name(), bar.ours(), bar.beside(), bar.ratio(), bar.wanted(), bar.verdict())));
		try {
			Files.createDirectories(directory);
			Files.write(directory.resolve(this.suite + "-jdk" + Runtime.Version.parse(this.jdk).feature() + EXTENSION),
					lines);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reads all files of a directory.
	 * @param directory where such files are
	 * @return their contents, older JDKs first
	 */
	public static List<SavedSuite> all(Path directory) {
		try (Stream<Path> files = Files.list(directory)) {
			return files.filter((file) -> file.toString().endsWith(EXTENSION)).sorted().map(SavedSuite::read).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static SavedSuite read(Path file) {
		try {
			List<List<String>> rows = Files.readAllLines(file)
				.stream()
				.map((row) -> List.of(row.split("\t", -1)))
				.toList();
			List<String> head = rows.get(0);
			List<Bar> bars = rows.stream()
				.skip(1)
				.map((row) -> new Bar(row.get(0), row.get(1), row.get(2), row.get(3), row.get(4), row.get(5)))
				.toList();
			return new SavedSuite(file.getFileName().toString().replaceFirst("-jdk\\d+" + EXTENSION + "$", ""),
					head.get(0), Integer.parseInt(head.get(1)), head.get(2), bars);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
