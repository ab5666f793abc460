package dev.sluice.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.fixture.PageTable;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of futures in {@code docs/troubleshooting.md} has each method of the API that
 * returns a future: its failure is logged, or is for its caller alone.
 */
class UnobservedFuturesTests {

	private static final String[] API = { "dev.sluice.aop", "dev.sluice.batch", "dev.sluice.bus", "dev.sluice.client",
			"dev.sluice.cluster", "dev.sluice.execution", "dev.sluice.lifecycle", "dev.sluice.throttle",
			"dev.sluice.throttle.store", "dev.sluice.time", "dev.sluice.websocket" };

	/** Types that Sluice calls, whose futures it observes, and futures themselves. */
	private static final Set<String> NOT_OBSERVED_BY_CALLERS = Set.of("BatchPump", "Cancellable", "ClientListener",
			"ClusterBus", "PresenceRegistry", "SessionConnection", "SessionRecords", "StoredThrottle",
			"DrainedLifecycle", "ThrottleGate", "LeveledTask");

	private static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)`");

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SluiceThrottlingAutoConfiguration.class,
				SluiceWebSocketAutoConfiguration.class, SluiceClusterAutoConfiguration.class));

	private static PageTable table() {
		return PageTable.of("troubleshooting.md", "methods | failure that nobody observes");
	}

	@Test
	void eachMethodThatReturnsAFutureHasARow() throws IOException {
		Set<String> documented = table().rows()
			.stream()
			.flatMap((row) -> METHOD.matcher(row.get(0)).results())
			.map(MatchResult::group)
			.map((method) -> method.replace("`", ""))
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> methods = new TreeSet<>();
		for (String name : API) {
			types(name).filter((type) -> Modifier.isPublic(type.getModifiers()))
				.filter((type) -> !NOT_OBSERVED_BY_CALLERS.contains(type.getSimpleName()))
				.flatMap(UnobservedFuturesTests::methods)
				.forEach(methods::add);
		}
		assertThat(methods).hasSizeGreaterThan(30);
		assertThat(documented).isEqualTo(methods);
	}

	private static Stream<Class<?>> types(String name) throws IOException {
		Resource[] files = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:" + name.replace('.', '/') + "/*.class");
		return Stream.of(files)
			.filter((file) -> !file.toString().contains("test-classes") && !file.toString().contains("-info"))
			.map((file) -> ClassUtils
				.resolveClassName(name + '.' + String.valueOf(file.getFilename()).replace(".class", ""), null));
	}

	private static Stream<String> methods(Class<?> type) {
		return Stream.of(type.getDeclaredMethods())
			.filter((method) -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()
					&& CompletionStage.class.isAssignableFrom(method.getReturnType()))
			.map((method) -> type.getSimpleName() + '.' + method.getName());
	}

	@TestFactory
	Stream<DynamicTest> failuresThatNobodyObserves() {
		return table()
			.row(names("SequentialLeveledTaskExecutor", "execute", "submit", "submitStage") + ", "
					+ names("TaskQueue", "execute", "runOrSubmit", "runOrSubmitStage", "submit", "submitStage") + ", "
					+ names("ManagedSession", "execute", "submit") + " | ",
					"UnobservedFailureTests#failureThatNobodyLooksAtIsLoggedOnce")
			.row(names("ManagedSession", "send", "post", "saveState") + ", " + names("Topic", "publish") + " | ",
					"UnsentMessagesTests#aMessageOrStateThatFailsItsFutureIsLoggedOnce")
			.row(names("Topic", "join") + " | ",
					"JoinFailuresTests#topicThatASessionCannotJoinIsLoggedThoughNobodyObservesIt")
			.row(names("BatchConsumer", "push") + " | `@BatchListener`", "BatchesTests#aBatchThatIsGivenUpIsLogged")
			.row(names("WebSocketSessionManager", "sendToAll", "postToAll") + ", "
					+ names("SessionCluster", "send", "post") + ", " + names("Topic", "post") + " | ",
					() -> inContext(UnobservedFuturesTests::assertUnwritableIsThrown))
			.row(names("Throttle", "acquire") + ", " + names("ThrottlingManager", "acquire") + ", "
					+ names("ThrottlingTemplate", "callAsync") + " | ",
					() -> inContext(UnobservedFuturesTests::assertRejectionIsForTheCaller))
			.row(names("Throttle", "releaseAsync") + " | ",
					"PendingReleasesTests#releaseThatFindsNothingIsRetriedEverMoreRarely")
			.row(names("SessionCluster", "find", "close") + ", "
					+ names("Topic", "history", "leave", "members", "presence") + " | ",
					() -> inContext((context) -> assertThat(context.getBean(SessionCluster.class).topic("t").presence())
						.isCompletedExceptionally()))
			.row(names("ManagedSession", "close", "drainAndClose") + ", "
					+ names("WebSocketSessionManager", "close", "closeAll", "drainAndCloseAll") + ", "
					+ names("SequentialLeveledTaskExecutor", "drain", "removeQueue", "shutdown") + ", "
					+ names("TaskQueue", "drop", "remove") + ", " + names("BatchConsumer", "complete") + " | ",
					() -> inContext(
							(context) -> assertThat(context.getBean(WebSocketSessionManager.class).drainAndCloseAll())
								.isCompleted()))
			.tests();
	}

	private static String names(String type, String... methods) {
		return Stream.of(methods).map((method) -> '`' + type + '.' + method + '`').collect(Collectors.joining(", "));
	}

	private void inContext(Consumer<AssertableWebApplicationContext> check) {
		this.contextRunner.run(check::accept);
	}

	private static void assertUnwritableIsThrown(AssertableWebApplicationContext context) {
		Object unwritable = new Unwritable();
		WebSocketSessionManager sessions = context.getBean(WebSocketSessionManager.class);
		SessionCluster cluster = context.getBean(SessionCluster.class);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> sessions.postToAll(ManagedSession.class, (session) -> true, unwritable));
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> cluster.post(SessionQuery.all(), unwritable));
	}

	private static void assertRejectionIsForTheCaller(AssertableWebApplicationContext context) {
		ThrottlingManager limits = context.getBean(ThrottlingManager.class);
		Throttle throttle = limits.addOrUpdate("none", Limit.semaphore(1));
		throttle.tryAcquire("key");
		CompletableFuture<?> rejected = throttle.acquire("key", 1, Duration.ZERO);
		assertThat(rejected).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(ThrottledException.class);
	}

	/** Cannot be written as JSON. */
	static class Unwritable {

		public List<Object> getValue() {
			throw new IllegalStateException("expected");
		}

	}

}
