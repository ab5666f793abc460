package dev.sluice;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each type of the public API that applications implement has a test in which its code
 * throws. A new type must be added to one of the tables.
 */
class ExtensionPointsTests {

	private static final String CORE = "core/src/test/java/dev/sluice/";

	private static final String SPRING = "spring/src/test/java/dev/sluice/";

	private static final String BATCH = CORE + "batch/ThrowingExtensionsTests.java";

	private static final String EXECUTION = CORE + "execution/ThrowingExtensionsTests.java";

	private static final String SESSIONS = "cluster/src/test/java/dev/sluice/cluster/endpoint/ThrowingExtensionsTests.java";

	private static final String CLIENT = "client/src/test/java/dev/sluice/client/SluiceClientTests.java";

	/** The test of each type. */
	private static final Map<String, String> ATTACKED = Map.ofEntries(Map.entry("BatchErrorHandler", BATCH),
			Map.entry("BatchPump", BATCH), Map.entry("PumpListener", BATCH), Map.entry("RetryPolicy", BATCH),
			Map.entry("ExecutionListener", EXECUTION), Map.entry("TaskDecorator", EXECUTION),
			Map.entry("ClientListener", CLIENT), Map.entry("SessionStore", CLIENT),
			Map.entry("ClusterObserver", SESSIONS), Map.entry("LevelResolver", SESSIONS),
			Map.entry("ManagedSession", SESSIONS), Map.entry("MessageErrorHandler", SESSIONS),
			Map.entry("MessageObserver", SESSIONS), Map.entry("ObservedExchange", SESSIONS),
			Map.entry("ObservedMessage", SESSIONS), Map.entry("PrincipalContext", SESSIONS),
			Map.entry("LineObserver", SPRING + "aop/LeftBehindTests.java"),
			Map.entry("SentMessageJournal",
					"websocket/src/test/java/dev/sluice/websocket/journal/SentMessageRecorderTests.java"),
			Map.entry("NanoClock", CORE + "throttle/ThrowingClockTests.java"),
			Map.entry("ThrottleListener", CORE + "throttle/ThrottleListenerTests.java"));

	/** Types that are called while the application starts, which fails with them. */
	private static final Set<String> AT_THE_START = Set.of("BatchConsumerCustomizer", "ExecutorCustomizer",
			"SentMessageRecorderCustomizer", "SessionTypeResolver", "ThrottlingManagerCustomizer", "WorkersCustomizer");

	/** Types that must keep a contract, which has its own tests. */
	private static final Set<String> CONTRACTS = Set.of("ClusterBus", "DelayScheduler", "PresenceRegistry",
			"SessionRecords", "StoredThrottle", "ThrottleStore");

	/** Types that only Sluice implements. */
	private static final Set<String> OWN = Set.of("BusListener", "CancellationSignal", "CheckedProperties",
			"DeferredResults", "DispatchedMethods", "Permit", "SessionCluster", "SessionConnection", "Throttle",
			"ThrottlingManager", "Topic", "WebSocketSessionManager");

	private static final Pattern TYPE = Pattern.compile("^public (?:non-sealed )?(?:interface|abstract class) (\\w+)",
			Pattern.MULTILINE);

	@Test
	void eachTypeOfThePublicApiIsInATable() throws IOException {
		Set<String> known = Stream.of(ATTACKED.keySet(), AT_THE_START, CONTRACTS, OWN)
			.flatMap(Set::stream)
			.collect(Collectors.toSet());
		assertThat(types()).containsExactlyInAnyOrderElementsOf(known);
	}

	@Test
	void eachAttackExists() {
		assertThat(ATTACKED.values())
			.allSatisfy((test) -> assertThat(Path.of("..").resolve(test)).content().contains("throw"));
	}

	private static Set<String> types() throws IOException {
		try (Stream<Path> modules = Stream.of("core", "client", "spring", "websocket", "cluster", "autoconfigure")
			.map(Path.of("..")::resolve)) {
			return modules.map((module) -> module.resolve("src/main/java"))
				.flatMap(ExtensionPointsTests::files)
				.filter((file) -> file.getFileName().toString().matches("[A-Z].*\\.java"))
				.filter((file) -> !file.toString().contains("internal"))
				.filter((file) -> !read(file.resolveSibling("package-info.java")).contains("Internal."))
				.map((file) -> TYPE.matcher(read(file)))
				.filter(Matcher::find)
				.map((found) -> found.group(1))
				.collect(Collectors.toSet());
		}
	}

	private static Stream<Path> files(Path folder) {
		try {
			return Files.walk(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
