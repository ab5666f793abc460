package dev.sluice.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.autoconfigure.batch.BatchProperties;
import dev.sluice.autoconfigure.throttle.LimitProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page {@code docs/configuration.md} lists every property and no other. The table
 * that it should have is in {@code target/configuration.md} after this test.
 */
class ConfigurationPageTests {

	private static final Path PAGE = Path.of("..", "docs", "configuration.md");

	@Test
	void listsEveryPropertyWithItsDefaultDescriptionAndValues() throws IOException {
		List<String> expected = properties()
			.map((property) -> "| `%s` | %s | %s |".formatted(property.path("name").asString(),
					defaultValue(property.get("defaultValue")), description(property)))
			.sorted()
			.toList();
		Files.write(Path.of("target", "configuration.md"), expected);
		assertThat(rows("properties")).containsExactlyElementsOf(expected);
	}

	@Test
	void everyPropertyIsDescribed() throws IOException {
		assertThat(properties()).allSatisfy(
				(property) -> assertThat(property.path("description").asString()).as(property.path("name").asString())
					.isNotBlank()
					.endsWith("."));
	}

	static Stream<Arguments> options() {
		return Stream.of(Arguments.of("options", LimitProperties.class),
				Arguments.of("batch options", BatchProperties.class));
	}

	@ParameterizedTest
	@MethodSource("options")
	void listsEveryOptionOfALimitOrBatchWithItsDefault(String table, Class<? extends Record> properties)
			throws IOException {
		Record defaults = new Binder().bindOrCreate("", properties);
		List<String> expected = Stream.of(properties.getRecordComponents())
			.map((option) -> "| `%s` | %s |".formatted(DataObjectPropertyName.toDashedForm(option.getName()),
					defaultOption(ReflectionUtils.invokeMethod(option.getAccessor(), defaults))))
			.toList();
		assertThat(rows(table).stream().map((row) -> row.substring(0, row.indexOf(" |", row.indexOf(" | ") + 3) + 2)))
			.containsExactlyInAnyOrderElementsOf(expected);
	}

	@Test
	void everyHintIsForAProperty() throws IOException {
		assertThat(metadata("hints").map((hint) -> hint.path("name").asString())).isNotEmpty()
			.isSubsetOf(properties().map((property) -> property.path("name").asString()).toList());
	}

	@Test
	void actionsAreHintedButForTheOneThatSaysNothing() throws IOException {
		assertThat(metadata("hints")
			.filter((hint) -> hint.path("name").asString().equals("sluice.annotations.default-action"))
			.flatMap((hint) -> hint.path("values").valueStream())
			.map((value) -> Action.valueOf(value.path("value").asString().toUpperCase(Locale.ROOT))))
			.containsExactlyElementsOf(EnumSet.complementOf(EnumSet.of(Action.DEFAULT)));
	}

	private static Stream<JsonNode> properties() throws IOException {
		return metadata("properties");
	}

	private static Stream<JsonNode> metadata(String kind) throws IOException {
		try (InputStream metadata = ConfigurationPageTests.class.getClassLoader()
			.getResourceAsStream("META-INF/spring-configuration-metadata.json")) {
			return JsonMapper.shared()
				.readTree(metadata)
				.path(kind)
				.valueStream()
				.sorted(Comparator.comparing((item) -> item.path("name").asString()));
		}
	}

	private static String description(JsonNode property) {
		String description = property.path("description").asString();
		String values = values(property.path("type").asString());
		return values.isEmpty() ? description : "%s One of %s.".formatted(description, values);
	}

	/** The values of an enum, but for the one that stands for no value. */
	private static String values(String type) {
		return ClassUtils.isPresent(type, null) && ClassUtils.resolveClassName(type, null).isEnum()
				? Stream.of(ClassUtils.resolveClassName(type, null).getEnumConstants())
					.filter(Predicate.not(Action.DEFAULT::equals))
					.map((value) -> "`%s`".formatted(value.toString().toLowerCase(Locale.ROOT).replace('_', '-')))
					.collect(Collectors.joining(", "))
				: "";
	}

	private static String defaultValue(@Nullable JsonNode value) {
		return (value != null) ? "`%s`".formatted(value.asString()) : "";
	}

	private static String defaultOption(@Nullable Object value) {
		if (value instanceof Duration time) {
			return "`%s`".formatted(DurationStyle.SIMPLE.print(time, ChronoUnit.SECONDS));
		}
		return (value != null) ? "`%s`".formatted(value.toString().toLowerCase(Locale.ROOT).replace('_', '-')) : "";
	}

	private static List<String> rows(String table) throws IOException {
		String page = Files.readString(PAGE);
		return page.substring(page.indexOf("<!-- " + table + " -->"))
			.lines()
			.skip(3)
			.takeWhile((line) -> line.startsWith("|"))
			.toList();
	}

}
