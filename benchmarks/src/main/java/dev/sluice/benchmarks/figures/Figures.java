package dev.sluice.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.sluice.benchmarks.Bar;
import dev.sluice.benchmarks.SavedSuite;

/**
 * Draws the saved results, and writes them between the marks of a page. Plots show the
 * oldest JDK, tables all of them.
 */
public final class Figures {

	private static final Pattern PLACE = Pattern.compile("(<!-- figures: (\\w+) -->\n).*?(<!-- end -->)",
			Pattern.DOTALL);

	private final List<SavedSuite> suites;

	Figures(List<SavedSuite> suites) {
		this.suites = suites;
	}

	/**
	 * Draws from {@code benchmarks/results} into {@code docs}.
	 * @param args none
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		new Figures(SavedSuite.all(Path.of("benchmarks", "results"))).writeTo(Path.of("docs", "performance.md"));
	}

	void writeTo(Path page) throws IOException {
		Path images = page.resolveSibling("images");
		Files.createDirectories(images);
		for (Figure figure : Figure.values()) {
			if (figure.plot != Figure.Plot.NONE && !figure.of(this.suites).isEmpty()) {
				Files.writeString(images.resolve(figure.id() + ".svg"), plot(figure));
			}
		}
		Files.writeString(page, page(Files.readString(page)));
	}

	/** The plot of the results on the oldest JDK. */
	String plot(Figure figure) {
		List<SavedSuite> shown = figure.of(this.suites);
		String jdk = shown.get(0).jdk();
		List<SavedSuite> one = shown.stream().filter((saved) -> saved.jdk().equals(jdk)).toList();
		List<Bar> bars = one.stream().flatMap((saved) -> saved.bars().stream()).toList();
		String subtitle = measured(one).replace("`", "");
		return (figure.plot == Figure.Plot.LINES) ? new LinePlot(figure, bars).draw(subtitle)
				: new BarPlot(figure, bars).draw(subtitle);
	}

	/** The page with the figures between its marks; empty where no results are saved. */
	String page(String text) {
		return PLACE.matcher(text)
			.replaceAll((place) -> Matcher.quoteReplacement(place.group(1)
					+ content(Figure.valueOf(place.group(2).toUpperCase(Locale.ROOT))) + place.group(3)));
	}

	private String content(Figure figure) {
		List<SavedSuite> shown = figure.of(this.suites);
		if (shown.isEmpty()) {
			return "";
		}
		String image = (figure.plot != Figure.Plot.NONE)
				? "![%s](images/%s.svg)\n\n".formatted(figure.title, figure.id()) : "";
		return image + new Table(shown).lines() + '\n' + measured(shown) + "\n\n";
	}

	private static String measured(List<SavedSuite> suites) {
		Set<String> commits = suites.stream()
			.map((saved) -> "JDK " + saved.jdk() + " at `" + saved.commit() + '`')
			.collect(Collectors.toCollection(LinkedHashSet::new));
		return "Measured on " + suites.get(0).processors() + " processors: " + String.join(", ", commits) + '.';
	}

}
