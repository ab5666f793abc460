package dev.sluice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Opening words of the Javadoc of the types of all modules. */
class JavadocTests {

	private static final List<String> MODULES = List.of("core", "redis", "jdbc", "spring", "websocket", "cluster",
			"client", "test", "autoconfigure");

	/** A type and its Javadoc, with annotations between them. */
	private static final Pattern TYPE = Pattern.compile("/\\*\\*((?:[^*]++|\\*(?!/))*+)\\*/\\s*+"
			+ "(?:@(?!interface)[\\w.]++(?:\\((?:[^()]++|\\([^()]*+\\))*+\\))?+\\s*+)*+"
			+ "(?:(?:public|protected|private|abstract|final|static|sealed|non-sealed)\\s++)*+"
			+ "(?:class|interface|enum|record|@interface)\\s++(\\w++)");

	private static final Pattern NO_NOUN_PHRASE = Pattern
		.compile("(?:Of )?(?:What|How|Who|When|Where|Why|Which|Whether|Tells|Those)\\b.*", Pattern.DOTALL);

	/** The Javadoc of each type. */
	private static final Map<String, String> TYPES = new LinkedHashMap<>();

	@BeforeAll
	static void readTypes() throws IOException {
		for (String module : MODULES) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				for (Path file : files.filter((file) -> file.toString().endsWith(".java")).toList()) {
					Matcher type = TYPE.matcher(Files.readString(file));
					while (type.find()) {
						TYPES.put(file.getFileName() + ": " + type.group(2),
								type.group(1).replaceAll("\\s+(?:\\*\\s)?\\s*", " ").trim());
					}
				}
			}
		}
		assertThat(TYPES).hasSizeGreaterThan(500);
	}

	@Test
	void typesOpenWithANounPhrase() {
		assertThat(typesWhose((type, text) -> NO_NOUN_PHRASE.matcher(text).matches())).isEmpty();
	}

	@Test
	void exceptionsAreThrownWhen() {
		assertThat(typesWhose((type, text) -> type.endsWith("Exception") && !text.startsWith("Thrown when ")))
			.isEmpty();
	}

	private static List<String> typesWhose(BiPredicate<String, String> wrong) {
		return TYPES.entrySet()
			.stream()
			.filter((type) -> wrong.test(type.getKey(), type.getValue()))
			.map((type) -> type.getKey() + ": " + type.getValue())
			.toList();
	}

}
