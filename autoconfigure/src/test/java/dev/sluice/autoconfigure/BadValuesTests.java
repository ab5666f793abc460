package dev.sluice.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.sluice.actuate.endpoint.SluiceEndpointAutoConfiguration;
import dev.sluice.actuate.health.SluiceHealthAutoConfiguration;
import dev.sluice.autoconfigure.batch.BatchProperties;
import dev.sluice.autoconfigure.cluster.SluiceClusterProperties;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.properties.NamedProperties;
import dev.sluice.autoconfigure.throttle.LimitProperties;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each property with a value that is not of its type, or out of any range, stops the
 * start, and the message names the property.
 */
class BadValuesTests {

	private static final Map<String, List<String>> BY_TYPE = Map.of("java.lang.Boolean",
			List.of("maybe", "2", "tru", "-", "ja"), "java.lang.Integer",
			List.of("x", "-5", "1.5", "99999999999", "1k"), "java.time.Duration",
			List.of("10", "-1s", "x", "5 parsecs", "1,5s"), "org.springframework.util.unit.DataSize",
			List.of("64", "-1KB", "x", "5XB", "1.5KB"));

	private static final List<String> CONSTANTS = List.of("unheard-of", "7", "-", "true", "a b");

	/** Properties of texts, which have rules of their own or none, and of Boot. */
	private static final List<String> TEXTS = List.of("java.lang.String", "java.util.List<java.lang.String>",
			"java.util.Set<java.lang.String>");

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(autoConfigurations()));

	private static Class<?>[] autoConfigurations() {
		return Stream
			.concat(ImportCandidates.load(AutoConfiguration.class, null)
				.getCandidates()
				.stream()
				.filter((name) -> name.startsWith("dev.sluice.autoconfigure."))
				.map((name) -> ClassUtils.resolveClassName(name, null)),
					Stream.of(EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
							SluiceEndpointAutoConfiguration.class, SluiceHealthAutoConfiguration.class))
			.toArray(Class<?>[]::new);
	}

	@TestFactory
	Stream<DynamicTest> badValueStopsTheStartAndTheMessageNamesTheProperty() throws IOException {
		Map<String, String> types = types();
		assertThat(types).hasSizeGreaterThan(80);
		return types.entrySet()
			.stream()
			.filter((property) -> !TEXTS.contains(property.getValue()))
			.flatMap((property) -> values(property.getValue()).stream()
				.limit(Boolean.getBoolean("sluice.test.full") ? Long.MAX_VALUE : 2)
				.map((value) -> DynamicTest.dynamicTest(property.getKey() + "=" + value,
						() -> assertNamed(property.getKey(), value))));
	}

	private static List<String> values(String type) {
		return BY_TYPE.getOrDefault(type, CONSTANTS);
	}

	private void assertNamed(String property, String value) {
		this.contextRunner
			.withPropertyValues("sluice.journal.enabled=true", "sluice.throttles.q.limit=1",
					"sluice.throttles.q.period=1s", "management.endpoints.web.exposure.include=throttling",
					property + "=" + value)
			.run((context) -> {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(property);
			});
	}

	/** Properties by name, with the options of a limit, a batch and a topic. */
	private static Map<String, String> types() throws IOException {
		Map<String, String> types = new TreeMap<>();
		JsonNode metadata = JsonMapper.shared()
			.readTree(new ClassPathResource("META-INF/spring-configuration-metadata.json")
				.getContentAsString(StandardCharsets.UTF_8));
		metadata.get("properties").forEach((property) -> {
			String type = property.get("type").asString();
			if (!type.startsWith("java.util.Map")) {
				types.put(property.get("name").asString(), type);
			}
		});
		types.keySet().removeIf((name) -> name.endsWith(".cache.time-to-live") || name.endsWith(".access"));
		types.remove("management.health.sluice.enabled");
		add("sluice.throttles.q", LimitProperties.class, types);
		add("sluice.batches.q", BatchProperties.class, types);
		add("sluice.cluster.topics[room-*]", SluiceClusterProperties.TopicOptions.class, types);
		return types;
	}

	private static void add(String prefix, Class<?> group, Map<String, String> types) {
		Map<String, Class<?>> options = new TreeMap<>();
		NamedProperties.collect(prefix + '.', group, options);
		options.forEach((name, type) -> types.put(name, ClassUtils.resolvePrimitiveIfNecessary(type).getName()));
	}

}
