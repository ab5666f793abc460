package dev.sluice.websocket.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.client.fixture.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the client's own tests, and holds what its package says. */
class ClientScriptTests {

	private static final Path FOLDER = Path.of("src/main/resources/META-INF/resources/sluice");

	private static final Pattern VERSION = Pattern.compile("\"version\": \"(.*)\"");

	private static final Pattern POM_VERSION = Pattern
		.compile("<artifactId>sluice-parent</artifactId>\\s+<version>(.*)</version>");

	@ParameterizedTest
	@ValueSource(strings = { "client.test.mjs", "history.test.mjs" })
	@Tag("browser")
	void theTestsOfTheClientPass(String script) throws Exception {
		try (Node node = new Node("--test", script)) {
			String output = node.output();
			assertThat(node.exitValue()).as(output).isZero();
			assertThat(output).containsPattern("# pass [1-9]");
		}
	}

	@Test
	void theClientIsSmallAndImportsNothing() throws Exception {
		assertThat(Files.readAllLines(FOLDER.resolve("sluice-client.js"))).hasSizeLessThanOrEqualTo(300)
			.noneMatch((line) -> line.contains("import"));
	}

	@Test
	void thePackageHasTheVersionOfTheBuild() throws Exception {
		assertThat(first(VERSION, FOLDER.resolve("package.json"))).isEqualTo(first(POM_VERSION, Path.of("pom.xml")));
	}

	private static String first(Pattern pattern, Path file) throws Exception {
		Matcher matcher = pattern.matcher(Files.readString(file));
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

}
