package dev.sluice.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds for the promises in {@code CONTRIBUTING.md}: the tests that can break them are
 * there.
 */
class PromisesTests {

	private static final Path ROOT = Path.of("..");

	private static final Pattern ROW = Pattern.compile("^\\| (P\\d+) \\| (.+?) \\| (.+?) \\| (.+?) \\|$",
			Pattern.MULTILINE);

	private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

	private static final Pattern PARENT = Pattern.compile("class \\w+ extends (\\w+)");

	@Test
	void eachPromiseHasTestsThatAreThere() throws IOException {
		List<MatchResult> rows = ROW.matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md"))).results().toList();
		assertThat(rows).extracting((row) -> row.group(1))
			.containsExactly("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P14", "P15",
					"P16");
		assertThat(rows).allSatisfy((row) -> {
			List<MatchResult> tests = TEST.matcher(row.group(3)).results().toList();
			assertThat(tests).isNotEmpty();
			assertThat(tests)
				.allSatisfy((test) -> assertThat(isTest(test.group(1), test.group(2))).as(test.group()).isTrue());
		});
	}

	@Test
	void aTestThatIsNotThereIsFound() throws IOException {
		assertThat(isTest("PromisesTests", "eachPromiseHasTestsThatAreThere")).isTrue();
		assertThat(isTest("PromisesTests", "nothing")).isFalse();
		assertThat(isTest("NothingTests", "nothing")).isFalse();
	}

	/** Returns whether a class, or one that it extends, has the test. */
	private static boolean isTest(String type, String method) throws IOException {
		String source = source(type);
		Matcher parent = PARENT.matcher(source);
		return Pattern.compile("@(?:Parameterized)?Test\n(?:\\s*@.*\n)*\\s*void " + method + "\\(")
			.matcher(source)
			.find() || parent.find() && isTest(parent.group(1), method);
	}

	/** Returns the source of a class of some module, or nothing. */
	private static String source(String type) throws IOException {
		try (Stream<Path> sources = Files.find(ROOT, 20,
				(path, attributes) -> path.endsWith(type + ".java") && path.toString().contains("/src/"))) {
			Path found = sources.findFirst().orElse(null);
			return (found != null) ? Files.readString(found) : "";
		}
	}

}
