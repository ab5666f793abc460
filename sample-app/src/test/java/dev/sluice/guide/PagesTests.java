package dev.sluice.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds for every page: what it shows is compiled, and where it points there is
 * something.
 */
class PagesTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

	private static final Pattern PROPERTY = Pattern.compile(
			"^((?:sluice|management\\.(?:endpoint\\.(?:throttling|sluice)" + "|health\\.sluice))\\.[^=]+)=",
			Pattern.MULTILINE);

	private static final Pattern VERSION = Pattern
		.compile("(?:<artifactId>sluice-[\\w-]+</artifactId>\\s+<version>|dev\\.sluice:sluice-[\\w-]+:)(.*?)[<\"]");

	private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)#\\s]*)(?:#([^)]*))?\\)");

	static Stream<Path> guide() throws IOException {
		try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"))) {
			return pages.filter((page) -> page.toString().endsWith(".md")).sorted().toList().stream();
		}
	}

	static Stream<Path> all() throws IOException {
		return Stream.concat(guide(),
				Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "benchmarks/README.md")
					.map(ROOT::resolve));
	}

	@ParameterizedTest
	@MethodSource("guide")
	void whatAPageShowsIsPartOfATest(Path page) throws IOException {
		String sources = sources();
		assertThat(found(JAVA, page)).map(PagesTests::withoutSpace)
			.allSatisfy((code) -> assertThat(sources).contains(code));
	}

	private static String sources() throws IOException {
		try (Stream<Path> sources = Files.list(Path.of("src/test/java/dev/sluice/guide"))) {
			return sources.map(PagesTests::read).map(PagesTests::withoutSpace).collect(Collectors.joining());
		}
	}

	@ParameterizedTest
	@MethodSource("guide")
	void thePropertiesThatAPageSetsAreKnown(Path page) {
		String reference = read(ROOT.resolve("docs/configuration.md"));
		assertThat(found(PROPERTY, page))
			.map((name) -> name.replaceAll("^sluice\\.(?:throttles|batches)\\.[^.]+\\.", ""))
			.allSatisfy((name) -> assertThat(reference).contains("| `" + name + "` |"));
	}

	@ParameterizedTest
	@MethodSource("all")
	void theVersionThatAPageNamesIsThatOfTheBuild(Path page) {
		String version = found(VERSION, ROOT.resolve("pom.xml")).get(0);
		assertThat(found(VERSION, page)).allMatch(version::equals);
	}

	@ParameterizedTest
	@MethodSource("all")
	void whereAPagePointsThereIsSomething(Path page) {
		List<MatchResult> links = LINK.matcher(read(page)).results().toList();
		assertThat(links).allSatisfy((link) -> {
			Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
			assertThat(target).exists();
			if (link.group(2) != null) {
				assertThat(anchors(target)).contains(link.group(2));
			}
		});
	}

	private static List<String> anchors(Path page) {
		return read(page).lines()
			.filter((line) -> line.startsWith("#"))
			.map((line) -> line.replaceFirst("#+ ", "")
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\w\\- ]", "")
				.replace(' ', '-'))
			.toList();
	}

	private static List<String> found(Pattern pattern, Path page) {
		return pattern.matcher(read(page)).results().map((match) -> match.group(1)).toList();
	}

	private static String withoutSpace(String code) {
		return code.replaceAll("\\s", "");
	}

	private static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
