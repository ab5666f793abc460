package dev.sluice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The comments of the classes that threads share: each opens with its invariant and the
 * tests that attack it.
 */
class SharedClassesTests {

	private static final List<String> MODULES = List.of("core", "client", "redis", "jdbc", "spring", "websocket",
			"cluster", "autoconfigure");

	/** Classes without such a comment, by the reason. */
	private static final Map<String, Set<String>> EXCEPTIONS = Map.of(
			"counters that are read one by one, so that any order is valid",
			Set.of("CommandStatistics", "FailoverCounters", "Listening", "MeasuredBus", "OutcomeRecorder",
					"ResumeCounters", "ThrottleCounters"),
			"numbers that are unique, and need nothing else", Set.of("JdbcNode"),
			"one value, replaced as a whole, and read by itself",
			Set.of("CachedSnapshot", "ClusterObservation", "ClusterReceivingContext", "ClusterSendingContext",
					"Database", "DrainedLifecycle", "EndpointTopics", "FunctionCall", "Inspection",
					"LineObservationContext", "MessageObservationContext", "TomcatHandlingReaders"),
			"a map whose value for a key is the same, whichever thread creates it",
			Set.of("AnnotatedTypes", "JsonMessages", "MessageLimits", "ThrottledExceptionResolver", "ThrottleMetrics",
					"ThrottleSourceRegistry"));

	private static final Pattern SKIPPED = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?(?<!\\\\)\"\"\""
			+ "|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)+'");

	private static final Pattern TYPE = Pattern
		.compile("(?s).*(?<![.\\w])(?:class|interface|enum|record)\\s+(\\w+)(.*)");

	private static final Pattern ANNOTATION = Pattern.compile("@[\\w.]+(?:\\((?:[^()]|\\([^()]*\\))*\\))?");

	private static final Pattern SHARED = Pattern
		.compile("\\b(?:volatile|Atomic\\w+|(?:Long|Double)(?:Adder|Accumulator)|(?:\\w*Lock)|Condition|VarHandle"
				+ "|Concurrent\\w*(?:Map|Set|Queue|Deque)|\\w*Blocking(?:Queue|Deque)|CopyOnWrite\\w+)\\b");

	private static final Pattern SYNCHRONIZED = Pattern.compile("\\bsynchronized\\b");

	private static final Pattern ATTACKED = Pattern.compile("Attacked by ([^.]+)\\.");

	private static final Pattern NAME = Pattern.compile("\\b[A-Z]\\w+");

	private static final List<Type> TYPES = new ArrayList<>();

	@BeforeAll
	static void readTypes() {
		MODULES
			.forEach((module) -> sources(Path.of("..", module, "src", "main")).forEach(SharedClassesTests::readTypes));
		assertThat(TYPES).hasSizeGreaterThan(500);
	}

	private static void readTypes(Path file) {
		String text = read(file);
		Deque<Type> open = new ArrayDeque<>(List.of(new Type("", null)));
		Matcher comment = SKIPPED.matcher(text);
		int next = comment.find() ? comment.start() : text.length();
		StringBuilder statement = new StringBuilder();
		for (int i = 0; i < text.length(); i++) {
			if (i == next) {
				open.peek().comment(comment.group());
				i = comment.end() - 1;
				statement.append(' ');
				next = comment.find() ? comment.start() : text.length();
				continue;
			}
			char c = text.charAt(i);
			statement.append(c);
			if (c == '{') {
				Matcher type = TYPE.matcher(statement);
				if (type.matches()) {
					open.push(new Type(type.group(1), open.peek()));
					TYPES.add(open.peek());
					open.peek().components(type.group(2).replaceFirst("(?s)\\b(?:extends|implements)\\b.*", ""));
				}
				else {
					open.peek().open(statement.toString());
				}
				statement.setLength(0);
			}
			else if (c == '}') {
				if (open.peek().close(statement.toString())) {
					open.pop();
				}
				statement.setLength(0);
			}
			else if (c == ';') {
				open.peek().statement(statement.toString());
				statement.setLength(0);
			}
		}
	}

	@Test
	void aClassThatThreadsShareOpensWithItsInvariantAndTheTestsThatAttackIt() {
		assertThat(TYPES.stream().filter((type) -> type.shared && !type.commented()).map(Type::toString))
			.containsExactlyInAnyOrderElementsOf(EXCEPTIONS.values().stream().flatMap(Set::stream).toList());
	}

	@Test
	void theTestsThatCommentsNameExist() {
		Set<String> tests = Stream
			.of("core", "client", "redis", "jdbc", "spring", "websocket", "cluster", "autoconfigure", "test",
					"benchmarks")
			.flatMap((module) -> sources(Path.of("..", module, "src")))
			.filter((file) -> file.startsWith("../benchmarks") || file.startsWith("../test")
					|| !file.toString().contains("/src/main/"))
			.map((file) -> file.getFileName().toString().replaceFirst("\\.java$", ""))
			.collect(Collectors.toSet());
		assertThat(TYPES.stream().flatMap((type) -> type.attackers.stream())).isNotEmpty().isSubsetOf(tests);
	}

	private static Stream<Path> sources(Path folder) {
		try (Stream<Path> files = Files.walk(folder)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A type of a source file, with the braces of its members. */
	private static final class Type {

		private final String name;

		private final Type outer;

		private final List<String> attackers = new ArrayList<>();

		private int depth;

		private boolean members;

		private boolean shared;

		Type(String name, Type outer) {
			this.name = name;
			this.outer = outer;
		}

		void comment(String text) {
			if (this.depth == 0 && !this.members && text.startsWith("/*") && !text.startsWith("/**")) {
				ATTACKED.matcher(text.replaceAll("\\s+(?:\\*\\s+)?", " "))
					.results()
					.flatMap((sentence) -> NAME.matcher(sentence.group(1)).results())
					.map(MatchResult::group)
					.forEach(this.attackers::add);
			}
		}

		void open(String text) {
			statement(text);
			this.members |= this.depth == 0 && !text.contains("=");
			this.depth++;
		}

		boolean close(String text) {
			statement(text);
			return this.depth-- == 0;
		}

		void statement(String text) {
			this.shared |= SYNCHRONIZED.matcher(text).find();
			if (this.depth == 0) {
				field(text);
			}
		}

		private void field(String text) {
			String plain = ANNOTATION.matcher(text).replaceAll("");
			int value = plain.indexOf('=');
			if (!((value < 0) ? plain : plain.substring(0, value)).contains("(")) {
				components(plain);
			}
		}

		void components(String text) {
			this.shared |= SHARED.matcher(text).find();
		}

		boolean commented() {
			return !this.attackers.isEmpty() || this.outer != null && this.outer.commented();
		}

		@Override
		public String toString() {
			return (this.outer != null) ? (this.outer + "." + this.name).replaceFirst("^\\.", "") : this.name;
		}

	}

}
