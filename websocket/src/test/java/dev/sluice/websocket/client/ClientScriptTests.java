package dev.sluice.websocket.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.client.fixture.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Runs the client's own tests, and holds what its package says. */
class ClientScriptTests {

	private static final Path FOLDER = Path.of("src/main/resources/META-INF/resources/sluice");

	private static final Pattern VERSION = Pattern.compile("\"version\": \"(.*)\"");

	private static final Pattern POM_VERSION = Pattern
		.compile("<artifactId>sluice-parent</artifactId>\\s+<version>(.*)</version>");

	/** What is declared: types, functions, methods and properties. */
	private static final Pattern NAME = Pattern.compile(
			"^(?:export (?:function|class) |  (?:readonly )?)(?!constructor|K in)(\\w+)[?(<:]?(?= |\\(|<|:|\\?|;)");

	/** Public methods of the script. */
	private static final Pattern METHOD = Pattern.compile("^  (?:get )?(?!constructor)([a-z]\\w*)\\(.*\\) \\{",
			Pattern.MULTILINE);

	private static final Pattern PACKED = Pattern.compile("\"path\": \"([^\"]+)\"");

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

	@Test
	void whatTheTypesNameIsInTheScript() throws Exception {
		String script = Files.readString(FOLDER.resolve("sluice-client.js"));
		String types = Files.readString(FOLDER.resolve("sluice-client.d.ts"));
		List<String> names = types.substring(types.indexOf("export interface Events"))
			.lines()
			.map(NAME::matcher)
			.filter(Matcher::find)
			.map((name) -> name.group(1))
			.toList();
		assertThat(names).contains("connect", "SluiceClient", "reconnect", "delivery", "clearTimeout")
			.allSatisfy((name) -> assertThat(script).containsPattern("\\b" + name + "\\b"));
		assertThat(METHOD.matcher(script).results().map((method) -> method.group(1))).isNotEmpty()
			.allSatisfy((method) -> assertThat(names).contains(method));
	}

	/** Where npm is, as it need not come with Node. */
	@Test
	@Tag("browser")
	void thePackageHoldsTheScriptWithItsTypesAndPage() throws Exception {
		assumeThat(Node.find("npm")).isPresent();
		String packed = Node.run(FOLDER, "npm", "pack", "--dry-run", "--json");
		assertThat(PACKED.matcher(packed).results().map((file) -> file.group(1))).containsExactlyInAnyOrder("README.md",
				"package.json", "sluice-client.d.ts", "sluice-client.js");
	}

	private static String first(Pattern pattern, Path file) throws Exception {
		Matcher matcher = pattern.matcher(Files.readString(file));
		assertThat(matcher.find()).isTrue();
		return matcher.group(1);
	}

}
