package dev.sluice.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/performance.md} shows no figure but those of the benchmarks. */
class PerformanceGuideTests {

	private static final Path BENCHMARKS = Path.of("../benchmarks");

	@Test
	void everyFigureIsThatOfTheBenchmarks() throws IOException {
		String page = page();
		List<String> measured = Files.readAllLines(BENCHMARKS.resolve("README.md"));
		List<String> shown = Stream.of(page.split("<!-- measured -->"))
			.skip(1)
			.flatMap((part) -> part.lines().skip(3).takeWhile((line) -> line.startsWith("|")))
			.toList();
		assertThat(shown).isNotEmpty().isSubsetOf(measured);
		assertThat(page.replaceAll("(?m)^\\|.*$", "")).doesNotContainPattern("\\d (ns|us|ms|M/s|k/s|B/op|MB)\\b");
	}

	@Test
	void everyFigureOfATableThatIsDrawnWasSaved() throws IOException {
		List<List<String>> saved = saved();
		List<List<String>> drawn = Stream.of(page().split("<!-- figures: "))
			.skip(1)
			.flatMap((part) -> part.substring(0, part.indexOf("<!-- end -->")).lines())
			.filter((line) -> line.startsWith("|") && !line.startsWith("| bar |") && !line.startsWith("| --- |"))
			.map((line) -> Stream.of(line.split("\\|")).skip(1).map(String::strip).toList())
			.toList();
		assertThat(drawn).isNotEmpty()
			.allSatisfy((row) -> assertThat(row.subList(3, row.size())).filteredOn((cell) -> !cell.isEmpty())
				.allSatisfy((cell) -> assertThat(saved).anyMatch((bar) -> bar.get(0).equals(row.get(0))
						&& cell.contains(bar.get(1)) && cell.contains(bar.get(3)))));
	}

	/** The cells of all bars in files. */
	private static List<List<String>> saved() throws IOException {
		try (Stream<Path> files = Files.list(BENCHMARKS.resolve("results"))) {
			return files.flatMap((file) -> lines(file).stream().skip(1))
				.map((line) -> List.of(line.split("\t", -1)))
				.toList();
		}
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String page() throws IOException {
		return Files.readString(Path.of("../docs/performance.md"));
	}

}
