package dev.sluice.benchmarks.figures;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;

import dev.sluice.benchmarks.Bar;
import dev.sluice.benchmarks.SavedSuite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

class FiguresTests {

	private static final Path ROOT = Path.of("..");

	private static final SavedSuite ECHO = new SavedSuite("websocket-throughput", "17.0.15", 2, "0a1b2c3",
			List.of(new Bar("echo, 100 clients, platform threads", "76,300 /s", "94,500 /s plain Spring",
					"0.82 (0.78, 0.70 to 1.19)", ">= 0.95", "falls short")));

	private static final SavedSuite GROWTH = new SavedSuite("scale-growth-bytes", "17.0.15", 2, "0a1b2c3",
			List.of(new Bar("bytes of a key, 1,000 keys", "61.00 B", "80.00 B <Bucket4j>", "", "", ""),
					new Bar("bytes of a key, 10,000 keys", "60.00 B", "81.00 B <Bucket4j>", "", "", "")));

	@Test
	void thePageOfTheProjectShowsWhatIsSaved() throws IOException {
		String page = Files.readString(ROOT.resolve("docs/performance.md"));
		List<SavedSuite> saved = SavedSuite.all(ROOT.resolve("benchmarks/results"));
		assertThat(new Figures(saved).page(page)).isEqualTo(page);
		assertThat(page).contains("<!-- figures: ");
	}

	@Test
	void eachPlotIsAnImageWithWhatWasMeasured() throws Exception {
		Figures figures = new Figures(List.of(ECHO, GROWTH));
		assertThat(texts(figures.plot(Figure.ECHO))).contains("echo, 100 clients", "Sluice", "76,300 /s",
				"plain Spring", "94,500 /s");
		assertThat(texts(figures.plot(Figure.GROWTH))).contains("bytes of a key", "1,000", "10,000", "61.00 B",
				"81.00 B", "Sluice in blue, <Bucket4j> in grey");
	}

	@Test
	void aTableHasARowABarAndAColumnAJdk() {
		SavedSuite newer = new SavedSuite("websocket-throughput", "25.0.3", 2, "3c2b1a0",
				List.of(new Bar("echo, 100 clients, platform threads", "98,100 /s", "94,500 /s plain Spring",
						"1.04 (1.02, 0.98 to 1.19)", ">= 0.95", "holds")));
		String page = new Figures(List.of(ECHO, newer))
			.page("before\n<!-- figures: echo -->\nold\n<!-- end -->\nafter");
		assertThat(page).startsWith("before\n<!-- figures: echo -->\n![Echoes")
			.endsWith("<!-- end -->\nafter")
			.doesNotContain("old")
			.contains("| bar | peer | target | JDK 17.0.15 | JDK 25.0.3 |\n")
			.contains("| echo, 100 clients, platform threads | plain Spring | ≥ 0.95 "
					+ "| **76,300 /s to 94,500 /s: 0.82 (0.78, 0.70 to 1.19)** "
					+ "| 98,100 /s to 94,500 /s: 1.04 (1.02, 0.98 to 1.19) |\n")
			.contains("Measured on 2 processors: JDK 17.0.15 at `0a1b2c3`, JDK 25.0.3 at `3c2b1a0`.");
	}

	@Test
	void whatWasNotMeasuredIsLeftOut() {
		String page = "<!-- figures: redis -->\n<!-- end -->\n";
		assertThat(new Figures(List.of(ECHO)).page(page)).isEqualTo(page);
	}

	@Test
	void aSuiteThatIsMeasuredAgainReplacesTheOneBefore(@TempDir Path directory) {
		new SavedSuite("scale-growth-bytes", "17.0.9", 2, "0000000", List.of()).save(directory);
		GROWTH.save(directory);
		ECHO.save(directory);
		assertThat(SavedSuite.all(directory)).containsExactly(GROWTH, ECHO);
	}

	private static List<String> texts(String svg) throws Exception {
		Document image = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader(svg)));
		return IntStream.range(0, image.getElementsByTagName("text").getLength())
			.mapToObj((text) -> image.getElementsByTagName("text").item(text).getTextContent())
			.toList();
	}

}
