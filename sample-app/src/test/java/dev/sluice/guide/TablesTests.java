package dev.sluice.guide;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.annotation.Action;
import dev.sluice.throttle.FailurePolicy;
import dev.sluice.throttle.Limit;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.message.JsonLimits;
import dev.sluice.websocket.stomp.StompThrottled;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds for the tables of every page but the design's: the types, members and properties
 * that they name exist, and a table that lists the values of a type lists all of them.
 */
class TablesTests {

	private static final Path DOCS = Path.of("..", "docs");

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	private static final Pattern TYPE = Pattern
		.compile("@?([A-Z][a-z]\\w*(?:\\.[A-Z][a-z]\\w*)*)(?:[.#](\\w+))?(?:[(<\\[].*)?");

	private static final Pattern PROPERTY = Pattern.compile("(sluice\\.[a-z.-]+[a-z])(?:=.*)?");

	private static final List<String> PACKAGES = List.of("dev.sluice.annotation", "dev.sluice.aop",
			"dev.sluice.aop.internal.call", "dev.sluice.aop.internal.method", "dev.sluice.aop.internal.result",
			"dev.sluice.batch", "dev.sluice.bus", "dev.sluice.cluster", "dev.sluice.execution", "dev.sluice.redis",
			"dev.sluice.throttle", "dev.sluice.websocket", "dev.sluice.websocket.settings",
			"dev.sluice.websocket.message", "dev.sluice.websocket.container", "dev.sluice.websocket.journal",
			"dev.sluice.websocket.inbound", "dev.sluice.websocket.outbound", "dev.sluice.websocket.session",
			"dev.sluice.websocket.handler", "dev.sluice.websocket.endpoint", "dev.sluice.websocket.stomp",
			"com.fasterxml.jackson.annotation", "tools.jackson.databind", "java.lang", "java.nio", "java.util",
			"java.util.concurrent", "jakarta.websocket", "jakarta.websocket.server",
			"org.springframework.aop.interceptor", "org.springframework.cache.annotation",
			"org.springframework.core.task", "org.springframework.http",
			"org.springframework.messaging.handler.annotation", "org.springframework.messaging.simp.annotation",
			"org.springframework.resilience.annotation", "org.springframework.scheduling.annotation",
			"org.springframework.transaction.annotation", "org.springframework.validation",
			"org.springframework.validation.annotation", "org.springframework.web.context.request.async",
			"org.springframework.web.reactive.socket", "org.springframework.web.servlet.function",
			"org.springframework.web.servlet.mvc.method.annotation", "org.springframework.web.socket",
			"org.springframework.web.socket.adapter", "org.springframework.web.socket.adapter.standard",
			"org.springframework.web.socket.client", "org.springframework.web.socket.config.annotation",
			"org.springframework.web.socket.handler", "org.springframework.web.socket.server",
			"org.springframework.web.socket.server.jetty", "org.springframework.web.socket.server.standard",
			"org.springframework.web.socket.server.support", "org.springframework.web.socket.sockjs.support");

	/** Names of examples, of tests, and of libraries that not every application has. */
	private static final Pattern OTHER = Pattern.compile("Deposit|Receipt|Flux|Mono|Valid|\\w+Tests");

	static List<String> pages() throws IOException {
		try (Stream<Path> pages = Files.list(DOCS)) {
			return pages.map((page) -> page.getFileName().toString())
				.filter((name) -> name.endsWith(".md") && !name.equals("design.md"))
				.sorted()
				.toList();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void theTypesAndMembersThatATableNamesExist(String page) throws IOException {
		Stream<MatchResult> names = names(page, TYPE).filter((name) -> !OTHER.matcher(name.group(1)).matches());
		assertThat(names).allSatisfy((name) -> {
			Class<?> type = type(name.group(1));
			assertThat(type).as(name.group()).isNotNull();
			if (type != null && name.group(2) != null) {
				assertThat(members(type)).as(name.group()).contains(name.group(2));
			}
		});
	}

	@ParameterizedTest
	@MethodSource("pages")
	void thePropertiesThatATableNamesAreKnown(String page) throws IOException {
		List<String> known = Stream.of("configuration.md", "operations.md")
			.flatMap(TablesTests::rows)
			.map((row) -> CODE.matcher(row.get(0)))
			.filter(Matcher::matches)
			.map((name) -> name.group(1))
			.toList();
		assertThat(names(page, PROPERTY).map((name) -> name.group(1)))
			.map((name) -> name.replaceFirst("^sluice\\.(?:throttles|batches)\\.[^.]+\\.", ""))
			.allSatisfy((name) -> assertThat(known)
				.anyMatch((property) -> property.equals(name) || property.startsWith(name + '.')));
	}

	/**
	 * Of each table its page, its head, and the test that holds it.
	 */
	private static final String HELD = """
			annotations.md      | annotation                       | AnnotationsGuideTests PageTablesTests
			annotations.md      | action                           | PageTablesTests
			annotations.md      | method                           | WaitingGuideTests
			annotations.md      | when                             | PageTablesTests
			annotations.md      | the method returns               | PageTablesTests
			annotations.md      | in an application with WebFlux   | PageTablesTests
			batches.md          | it returns                       | PageTablesTests
			batches.md          | the future                       | PageTablesTests
			cluster.md          | call                             | PageTablesTests
			cluster.md          | field                            | PageTablesTests
			cluster.md          | of                               | TablesTests
			cluster.md          | sent by                          | PageTablesTests
			cluster.md          | what                             | PageTablesTests
			concepts.md         | door                             | PageTablesTests
			configuration.md    | option                           | ConfigurationPageTests PageTablesTests
			configuration.md    | property                         | ConfigurationPageTests
			design.md           | package                          | LayoutTests
			design.md           | package below `dev.sluice.websocket` | LayoutTests
			design.md           | package below `dev.sluice.cluster` | LayoutTests
			design.md           | tool                             | TablesTests
			getting-started.md  | the application                  | TablesTests
			jdbc.md             | `initialize-schema`              | JdbcTablesTests
			jdbc.md             | promise                          | JdbcTablesTests
			jdbc.md             | `durability`                     | JdbcTablesTests
			jdbc.md             | SQLSTATE                         | JdbcTablesTests
			jdbc.md             | what happens                     | JdbcTablesTests
			limits.md           | type                             | PageTablesTests
			migration.md        | there                            | MigrationTablesTests
			migration.md        | what you may rely on today       | MigrationTablesTests
			native.md           | what needs reflection            | PageTablesTests
			operations.md       | field                            | OperationsPageTests FieldTablesTests
			operations.md       | request                          | OperationsTablesTests
			operations.md       | status                           | OperationsTablesTests
			operations.md       | meter                            | OperationsPageTests FieldTablesTests
			operations.md       | observation                      | ObservationsTests FieldTablesTests
			operations.md       | of a                             | ObservationsTests PageTablesTests
			performance.md      | to measure                       | TablesTests
			performance.md      | bar                              | PerformanceGuideTests
			redis.md            |                                  | PageTablesTests
			redis.md            | policy                           | PageTablesTests
			redis.md            | what happens                     | PageTablesTests
			redis.md            | what                             | PageTablesTests
			redis.md            | key                              | RedisTablesTests
			stomp.md            | value                            | PageTablesTests
			stomp.md            | frame                            | PageTablesTests
			troubleshooting.md  | logger                           | TroubleshootingTests
			troubleshooting.md  | methods                          | UnobservedFuturesTests
			protocol.md         | frame                            | ProtocolTablesTests
			protocol.md         | code                             | ProtocolTablesTests
			protocol.md         | of                               | ProtocolTablesTests
			versions.md         |                                  | TablesTests
			versions.md         | command                          | TablesTests
			websocket.md        | the method takes                 | WebSocketTablesTests
			websocket.md        | frame                            | WebSocketTablesTests
			websocket.md        | not touched                      | PageTablesTests
			websocket.md        | call                             | WebSocketTablesTests
			websocket.md        |                                  | PageTablesTests
			websocket.md        | code                             | WebSocketTablesTests
			websocket.md        | of a record                      | PageTablesTests
			""";

	@Test
	void everyTableIsHeldByATest() throws IOException {
		List<List<String>> held = HELD.lines()
			.map((line) -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
			.toList();
		assertThat(tables())
			.containsExactlyInAnyOrderElementsOf(held.stream().map((row) -> row.subList(0, 2)).toList());
		String tests = sources();
		assertThat(held).flatMap((row) -> List.of(row.get(2).split(" ")))
			.allSatisfy((test) -> assertThat(tests).contains("\nclass " + test + " {"));
	}

	/** Of each table its page and the head of its first column. */
	private static Set<List<String>> tables() throws IOException {
		Set<List<String>> tables = new LinkedHashSet<>();
		try (Stream<Path> pages = Files.list(DOCS)) {
			for (Path page : pages.filter((file) -> file.toString().endsWith(".md")).toList()) {
				String before = "";
				for (String line : read(page).lines().toList()) {
					if (line.startsWith("|") && !before.startsWith("|")) {
						tables.add(List.of(page.getFileName().toString(), line.split("\\|")[1].strip()));
					}
					before = line;
				}
			}
		}
		return tables;
	}

	private static String sources() throws IOException {
		StringBuilder sources = new StringBuilder();
		for (String module : List.of("autoconfigure", "sample-app")) {
			try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "test", "java"))) {
				files.filter((file) -> file.toString().endsWith("Tests.java"))
					.map(TablesTests::read)
					.forEach(sources::append);
			}
		}
		return sources.toString();
	}

	@Test
	void whatIsToBeRunToMeasureIsThere() {
		String suites = read(Path.of("..", "benchmarks", "src", "main", "java", "dev", "sluice", "benchmarks", "suites",
				"Bars.java"));
		assertThat(codes(tables("performance.md", "to measure").map((row) -> row.get(1)))).isNotEmpty()
			.allSatisfy((command) -> {
				String[] words = command.split(" ");
				assertThat(Path.of("..", words[0])).isExecutable();
				assertThat(suites).containsPattern('"' + words[1] + "[-\"]");
			});
	}

	@Test
	void theModulesOfTheReadmeAreAllOfThem() {
		Stream<List<String>> rows = rows(read(Path.of("..", "README.md")).lines())
			.filter((row) -> row.get(0).startsWith("`"));
		assertThat(rows).allSatisfy((row) -> {
			String module = row.get(0).replace("`", "");
			String artifact = row.get(1).isEmpty() ? "sluice-" + module : row.get(1).replace("`", "");
			assertThat(read(Path.of("..", module, "pom.xml"))).contains("<artifactId>" + artifact + "</artifactId>");
		}).hasSize(modules().size());
	}

	@Test
	void theVersionsAreThoseOfTheBuildAndItsStages() {
		String build = read(Path.of("..", "pom.xml"));
		String stages = read(Path.of("..", ".ci", "run"));
		assertThat(build).contains("<spring-boot.version>" + tested("Spring Boot") + "</spring-boot.version>")
			.contains("<java.version>" + tested("Java").replaceFirst(",.*", "") + "</java.version>");
		assertThat(read(DOCS.resolve("howto/gradle.md"))).contains("version \"" + tested("Spring Boot") + '"')
			.contains("spring-boot-dependencies:" + tested("Spring Boot") + '"');
		String[] postgres = tested("PostgreSQL").split(" to ");
		assertThat(stages).containsPattern("for postgres in " + postgres[0] + "\\.\\S* .*" + postgres[1] + "\\.\\S*;");
		assertThat(codes(tables("versions.md", "command").map((row) -> row.get(0)))).isNotEmpty()
			.allSatisfy((command) -> {
				String name = command.replaceFirst(".*(?: -P| )", "");
				assertThat(build + stages).containsAnyOf("<id>" + name + "</id>", "\n" + name + "() {");
			});
	}

	@Test
	void theLimitsOfAMessageAreThoseThatItIsCheckedWith() {
		assertThat(tables("cluster.md", "of").map((row) -> row.get(1)).limit(4)).zipSatisfy(
				List.of(JsonLimits.MAX_LENGTH, JsonLimits.MAX_DEPTH, JsonLimits.MAX_NUMBER_LENGTH,
						JsonLimits.MAX_NAME_LENGTH),
				(limit, value) -> assertThat(limit).startsWith(String.format(Locale.ROOT, "%,d ", value)));
	}

	private static String tested(String what) {
		return tables("versions.md", "").filter((row) -> row.get(0).equals(what))
			.map((row) -> row.get(1))
			.findFirst()
			.orElseThrow();
	}

	private static Set<String> modules() {
		return Pattern.compile("<module>(.*?)</module>")
			.matcher(read(Path.of("..", "pom.xml")))
			.results()
			.map((module) -> module.group(1))
			.collect(Collectors.toSet());
	}

	@Test
	void theTypesOfLimitsAreAllOfThem() {
		assertThat(firstColumn("limits.md", "type")).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(Limit.class.getPermittedSubclasses()).map(TablesTests::dashed).toList());
	}

	@Test
	void theActionsAreAllOfThem() {
		assertThat(firstColumn("annotations.md", "action")).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(Action.values()).filter(Predicate.not(Action.DEFAULT::equals)).map(Enum::name).toList());
	}

	@Test
	void theFailurePoliciesAreAllOfThem() {
		assertThat(firstColumn("redis.md", "policy")).containsExactlyElementsOf(values(FailurePolicy.values()));
	}

	@Test
	void theAnswersOfStompAreAllOfThem() {
		assertThat(firstColumn("stomp.md", "value")).containsExactlyElementsOf(values(StompThrottled.values()));
	}

	@Test
	void theComponentsOfARecordOfTheJournalAreAllOfThem() {
		assertThat(firstColumn("websocket.md", "of a record")).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(SentMessage.class.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@Test
	void theCloseCodesAreAllOfThem() {
		Stream<CloseStatus> chosen = Arrays.stream(CloseStatuses.class.getFields())
			.map((field) -> (CloseStatus) ReflectionUtils.getField(field, null));
		Stream<CloseStatus> others = Stream.of(CloseStatuses.tooBig("reason"), CloseStatus.SERVER_ERROR);
		assertThat(tables("websocket.md", "code").map((row) -> row.get(0))).containsExactlyElementsOf(
				Stream.concat(chosen, others).map((status) -> "" + status.getCode()).distinct().sorted().toList());
	}

	@Test
	void theStartersAreModulesOfTheProject() {
		String bom = read(Path.of("..", "bom", "pom.xml"));
		assertThat(codes(tables("getting-started.md", "the application").map((row) -> row.get(1)))).isNotEmpty()
			.allSatisfy((starter) -> assertThat(bom).contains("<artifactId>" + starter + "</artifactId>"));
	}

	@Test
	void theTestsThatTheDesignNamesExist() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("..", "core", "src", "test"))) {
			Set<String> tests = files.map((file) -> file.getFileName().toString().replaceFirst("\\.java$", ""))
				.collect(Collectors.toSet());
			assertThat(codes(tables("design.md", "tool").map((row) -> row.get(2)))
				.filter((name) -> name.endsWith("Tests"))).isNotEmpty()
				.allSatisfy((name) -> assertThat(tests).anyMatch((test) -> test.matches(name.replace("*", ".+"))));
		}
	}

	/** The names in the tables of a page, but for what is another project's. */
	private static Stream<MatchResult> names(String page, Pattern pattern) throws IOException {
		return codes(rows(page).flatMap((row) -> row.stream().skip(page.equals("migration.md") ? 1 : 0)))
			.map(pattern::matcher)
			.filter(Matcher::matches)
			.map(Matcher::toMatchResult);
	}

	private static @Nullable Class<?> type(String name) {
		return PACKAGES.stream()
			.map((place) -> place + '.' + name)
			.filter((type) -> ClassUtils.isPresent(type, null))
			.map((type) -> ClassUtils.resolveClassName(type, null))
			.findFirst()
			.orElse(null);
	}

	private static Stream<String> members(Class<?> type) {
		Stream<String> constants = Arrays.stream(type.getFields()).map((field) -> field.getName());
		return Stream.concat(constants, Arrays.stream(type.getMethods()).map((method) -> method.getName()));
	}

	private static Stream<String> firstColumn(String page, String head) {
		return codes(tables(page, head).map((row) -> row.get(0)));
	}

	private static Stream<String> codes(Stream<String> cells) {
		return cells.flatMap((cell) -> CODE.matcher(cell).results()).map((code) -> code.group(1));
	}

	/** The rows of the table whose first column has this head. */
	private static Stream<List<String>> tables(String page, String head) {
		String text = read(DOCS.resolve(page));
		int begin = text.indexOf("\n| " + (head.isEmpty() ? "|" : head + " |"));
		assertThat(begin).as(head).isNotNegative();
		return rows(text.substring(begin + 1).lines().skip(2).takeWhile((line) -> line.startsWith("|")));
	}

	private static Stream<List<String>> rows(String page) {
		return rows(read(DOCS.resolve(page)).lines());
	}

	private static Stream<List<String>> rows(Stream<String> lines) {
		return lines.filter((line) -> line.startsWith("|") && !line.startsWith("| ---"))
			.map((line) -> Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList());
	}

	private static List<String> values(Enum<?>[] values) {
		return Arrays.stream(values).map((value) -> value.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList();
	}

	private static String dashed(Class<?> type) {
		return type.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
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
