package dev.sluice.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/performance.md} shows no figure but those of the benchmarks. */
class PerformanceGuideTests {

	@Test
	void everyFigureIsThatOfTheBenchmarks() throws IOException {
		String page = Files.readString(Path.of("../docs/performance.md"));
		List<String> measured = Files.readAllLines(Path.of("../benchmarks/README.md"));
		List<String> shown = Stream.of(page.split("<!-- measured -->"))
			.skip(1)
			.flatMap((part) -> part.lines().skip(3).takeWhile((line) -> line.startsWith("|")))
			.toList();
		assertThat(shown).isNotEmpty().isSubsetOf(measured);
		assertThat(page.replaceAll("(?m)^\\|.*$", "")).doesNotContainPattern("\\d (ns|us|ms|M/s|k/s|B/op|MB)\\b");
	}

}
