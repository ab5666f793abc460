package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.sluice.actuate.dashboard.SluiceDashboardAutoConfiguration;
import dev.sluice.actuate.endpoint.SluiceEndpointAutoConfiguration;
import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.annotation.SluiceAnnotationsAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** What is accepted and would have no effect stops the start or is logged. */
@ExtendWith(OutputCaptureExtension.class)
class WithoutEffectTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
					SluiceAnnotationsAutoConfiguration.class, SluiceWebSocketAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(strings = { "localhost:3000", "example.org", "https://example.org/app", "//example.org",
			"wss://example.org", "https://example.org:443", "http://example.org:80/", "https://Example.org",
			"'https://example.org'", "https://a.example https://b.example" })
	void originThatMatchesNoBrowserStopsTheStart(String origin) {
		run((runner) -> runner.withPropertyValues("sluice.websocket.allowed-origins=" + origin),
				"Property 'sluice.websocket.allowed-origins' must have a scheme and no path, in lower case and without the "
						+ "default port, as in https://example.org: " + origin);
	}

	@ParameterizedTest
	@ValueSource(strings = { "*", "null", "https://example.org", "https://*.example.org:[*]", "*.example.org",
			"capacitor://localhost", "https://example.org:8443", "https://example.org:80", "http*://example.org/",
			"chrome-extension://abc" })
	void originThatABrowserSendsIsAccepted(String origin) {
		run((runner) -> runner.withPropertyValues("sluice.websocket.allowed-origins[0]=" + origin), null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo", "/{echo", "ws/**" })
	void excludedPathThatIsNoPathStopsTheStart(String path) {
		run((runner) -> runner.withPropertyValues("sluice.websocket.handlers.exclude-paths=" + path),
				"Property 'sluice.websocket.handlers.exclude-paths' must be path patterns that begin with '/'");
	}

	@Test
	void excludedPathOfNoHandlerIsLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Raw.class)
			.withPropertyValues("sluice.websocket.handlers.exclude-paths=/rooms,/echo,/sock"), null);
		assertThat(output)
			.containsOnlyOnce("No handler has the path '/echo' of 'sluice.websocket.handlers.exclude-paths'; "
					+ "the paths of handlers are [/rooms, /sock/**]")
			.doesNotContain("the path '/rooms'", "the path '/sock'");
	}

	@ParameterizedTest
	@CsvSource({ "sluice.websocket.max-message-size, 64", "sluice.websocket.inbound.buffer-size-limit, 1024",
			"sluice.websocket.outbound.total-buffer-size, 7", "sluice.cluster.resume.total-buffer, 100000" })
	void sizeWithoutUnitStopsTheStart(String property, String value) {
		run((runner) -> runner.withPropertyValues(property + "=" + value),
				"Property '" + property + "' has no unit: " + value);
	}

	@Test
	void limitsWhoseNamesDifferInCaseStopTheStart() {
		run((runner) -> runner.withPropertyValues("sluice.throttles.counts.limit=1",
				"sluice.throttles.counts.period=1s", "sluice.throttles.Counts.limit=2",
				"sluice.throttles.Counts.period=1s"),
				"is for another limit than 'counts', as names of limits differ in upper and lower case");
	}

	@Test
	void limitWhoseNameDiffersInCaseFromThatOfAnAnnotationStopsTheStart() {
		run((runner) -> runner.withBean(Limited.class)
			.withPropertyValues("sluice.throttles.Counts.limit=2", "sluice.throttles.Counts.period=1s"),
				"Property 'sluice.throttles.Counts' is for another limit than 'counts'");
	}

	@Test
	void limitsBesideAManagerOfTheApplicationStopTheStart() {
		run((runner) -> runner.withBean("limits", ThrottlingManager.class, () -> ThrottlingManager.builder().build())
			.withPropertyValues("sluice.throttles.q.limit=2", "sluice.throttles.q.period=1s"),
				"Properties [sluice.throttles.q.limit, sluice.throttles.q.period] have no effect, as the bean 'limits'");
	}

	@Test
	void statusOfALimitIsForAnyManager() {
		run((runner) -> runner.withBean(ThrottlingManager.class, () -> ThrottlingManager.builder().build())
			.withPropertyValues("sluice.throttles.q.status=409"), null);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			sluice.store.jdbc.timeout=1s | sluice.store.type=memory | memory | jdbc
			sluice.store.redis.batch=2   | x=y                      | not set | redis
			""")
	void optionsOfAStoreThatIsNotUsedAreLogged(String option, String type, String is, String required,
			CapturedOutput output) {
		run((runner) -> runner.withPropertyValues(option, type), null);
		assertThat(output).containsOnlyOnce("Properties [" + option.split("=")[0] + "] have no effect, as "
				+ "'sluice.store.type' is " + is + "; set it to " + required);
	}

	@Test
	void optionsOfSessionsThatDoNotExistAreLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Rooms.class)
			.withPropertyValues("sluice.websocket.stomp.level-header=level", "sluice.cluster.resume.window=10s",
					"sluice.cluster.resume.max-suspended=5"),
				null);
		assertThat(output)
			.containsOnlyOnce(
					"Properties [sluice.websocket.stomp.level-header] have no effect, as the application has no "
							+ "STOMP broker; add @EnableWebSocketMessageBroker")
			.containsOnlyOnce("Properties [sluice.cluster.resume.max-suspended, sluice.cluster.resume.window] have no "
					+ "effect, as no endpoint is resumable; set 'resumable = true'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			sluice.cluster.topics.rooms-*.history.size=5           | sluice.cluster.topics.[rooms-*].history.size
			sluice.cluster.topics.rooms/eu.presence=true           | sluice.cluster.topics.[rooms/eu].presence
			sluice.cluster.topics.rooms-{room}.history.time=5s     | sluice.cluster.topics.[rooms-{room}].history.time
			""")
	void patternThatLosesCharactersStopsTheStart(String property, String meant) {
		run((runner) -> runner.withPropertyValues(property), "Write '" + meant + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sluice.cluster.topics.[rooms-{room}].history.size=5",
			"sluice.cluster.presence.topics=lobby,rooms-{room}", "sluice.cluster.presence.topics[0]=rooms-{room}" })
	void patternWithAVariableIsLogged(String property, CapturedOutput output) {
		run((runner) -> runner.withPropertyValues(property, "rooms=rooms",
				"sluice.cluster.topics.[${rooms}-x].history.size=5", "sluice.cluster.topics.[rooms-*].history.size=5",
				"sluice.cluster.topics.lobby.history.size=5", "sluice.cluster.topics.lobby_1.history.time=5s"), null);
		assertThat(output).containsOnlyOnce("has a variable in braces")
			.containsOnlyOnce("The pattern of property '" + property.split("=")[0] + "'");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					sluice.execution.max-block=2s | a=b | as 'sluice.execution.overflow' is not set; set it to block
					sluice.execution.max-block=2s | sluice.execution.overflow=drop_oldest | is drop_oldest; set it to block
					management.endpoint.throttling.roles[0]=A | management.endpoints.web.exposure.include=* | as 'management.endpoint.throttling.show-keys' is not set
					sluice.cluster.stomp.destinations=/topic/** | a=b | has no STOMP broker
					sluice.cluster.presence.leave-delay=2s | a=b | as no topic has presence
					sluice.journal.batch-size=10 | a=b | as no message is recorded
					sluice.websocket.heartbeat.timeout=9s | sluice.websocket.heartbeat.interval=0 | is zero; set it to a time
					sluice.cluster.lease=20s | a=b | as 'sluice.cluster.type' is not set; set it to redis
					sluice.cluster.failure-policy=local | sluice.cluster.type=memory | is memory; set it to redis
					management.endpoint.throttling.top=5 | a=b | include' does not contain 'throttling'; add it
					sluice.websocket.stomp.level-header=l | sluice.websocket.stomp.enabled=false | enabled' is false; set it to true
					sluice.websocket.stomp.throttled-destination=/q | sluice.websocket.stomp.throttled=none | set it to user-queue
					sluice.websocket.handlers.exclude-paths=/x | sluice.websocket.handlers.enabled=no | enabled' is false
					management.health.sluice.max-wait=9s | management.health.sluice.enabled=false | enabled' is false
					sluice.throttles.q.status=409 | sluice.web.enabled=false | as 'sluice.web.enabled' is false; set it to true
					sluice.execution.workers=5 | spring.threads.virtual.enabled=true | as 'spring.threads.virtual.enabled' is true
					sluice.websocket.outbound.overflow=catch-up | sluice.cluster.history.size=0 | as 'sluice.cluster.history.size' is 0
					""")
	void optionsOfAnotherChoiceAreLogged(String option, String choice, String problem, CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(optionOfStomp(option) ? StompBroker.class : Rooms.class)
			.withPropertyValues("sluice.throttles.q.limit=5", "sluice.throttles.q.period=1s")
			.withPropertyValues(option, choice), null);
		assertThat(output.getAll().lines().filter((line) -> line.contains("have no effect"))).singleElement()
			.asString()
			.contains(problem);
	}

	private static boolean optionOfStomp(String option) {
		return option.startsWith("sluice.websocket.stomp");
	}

	@ParameterizedTest
	@CsvSource({ "throttle, throttling", "throttlings, throttling", "sluce, sluice" })
	void exposedEndpointThatIsMisspeltIsLogged(String id, String meant, CapturedOutput output) {
		run((runner) -> runner
			.withPropertyValues("management.endpoints.web.exposure.include=health,sluice," + id + ",throttling"), null);
		assertThat(output).containsOnlyOnce("which is no endpoint of Sluice")
			.contains("contains '" + id + "', which is no endpoint of Sluice. Did you mean '" + meant + "'?");
	}

	@Test
	void optionsOfTheChoiceAreNotLogged(CapturedOutput output) {
		run((runner) -> runner.withPropertyValues("sluice.execution.max-block=2s", "sluice.execution.overflow=BLOCK",
				"management.endpoints.jmx.exposure.include=throttling", "management.endpoint.throttling.roles=A",
				"management.endpoint.throttling.show-keys=WHEN_AUTHORIZED", "sluice.cluster.presence.leave-delay=2s",
				"sluice.cluster.topics.[rooms-*].presence=true", "sluice.journal.batch-size=10",
				"sluice.journal.enabled=true", "sluice.websocket.heartbeat.timeout=9s"), null);
		assertThat(output).doesNotContain("have no effect");
	}

	@Test
	void optionsOfSessionsThatExistAreNotLogged(CapturedOutput output) {
		run((runner) -> runner
			.withConfiguration(
					AutoConfigurations.of(SluiceStompAutoConfiguration.class, SluiceClusterAutoConfiguration.class))
			.withUserConfiguration(Resumable.class, StompBroker.class)
			.withPropertyValues("sluice.websocket.stomp.level-header=level", "sluice.cluster.resume.window=10s"), null);
		assertThat(output).doesNotContain("have no effect");
	}

	@Test
	void optionsThatAllNodesShareAndSwitchesAreNotLogged(CapturedOutput output) {
		run((runner) -> runner.withPropertyValues("sluice.websocket.stomp.enabled=false", "sluice.cluster.type=redis",
				"sluice.cluster.resume.window=10s", "sluice.cluster.resume.outbox=redis"), null);
		assertThat(output).doesNotContain("have no effect");
	}

	@Test
	void misspeltLimitBesideOneOfAnAnnotationIsLogged(CapturedOutput output) {
		run((runner) -> runner.withBean(Booking.class)
			.withPropertyValues(limits("backing", "boking", "seat-reservation", "seat-reservatons", "bookingg")), null);
		Map.of("boking", "booking", "bookingg", "booking", "seat-reservation", "seatReservations", "seat-reservatons",
				"seatReservations")
			.forEach((name, meant) -> assertThat(output).containsOnlyOnce("Property 'sluice.throttles." + name
					+ "' is for a limit that no annotation names, beside the limit '" + meant + "'"));
	}

	@Test
	void limitsForCodeAndOfOtherAnnotationsAreNotLogged(CapturedOutput output) {
		run((runner) -> runner.withBean(Booking.class)
			.withPropertyValues(
					limits("backing", "hold", "api-put", "user-8", "payments", "bookings-of-user", "parking")),
				null);
		assertThat(output).doesNotContain("which an annotation defines");
	}

	private static String[] limits(String... names) {
		return Stream.of(names)
			.flatMap((name) -> Stream.of("limit=1", "period=1s")
				.map((option) -> "sluice.throttles." + name + '.' + option))
			.toArray(String[]::new);
	}

	@Test
	void prefixOfTheBusHasAnEffect(CapturedOutput output) {
		run((runner) -> runner.withPropertyValues("sluice.store.redis.key-prefix=a:", "sluice.cluster.type=redis"),
				null);
		assertThat(output).doesNotContain("have no effect");
	}

	@ParameterizedTest
	@CsvSource({ "spring.data.redis.url=redis://db, Redis", "spring.data.redis.host=db, Redis",
			"spring.datasource.url=jdbc:postgresql://db/app, PostgreSQL" })
	void storeThatIsConnectedAndKeepsNoLimitsIsLogged(String connection, String store, CapturedOutput output) {
		run((runner) -> runner.withPropertyValues(connection), null);
		assertThat(output)
			.containsOnlyOnce("Limits are kept in the memory of each node, though a connection to " + store);
	}

	@Test
	void chosenMemoryIsNotLogged(CapturedOutput output) {
		run((runner) -> runner.withPropertyValues("spring.data.redis.url=redis://db", "sluice.store.type=memory"),
				null);
		assertThat(output).doesNotContain("Limits are kept");
	}

	@ParameterizedTest
	@CsvSource({ "access=NONE, 'sluice,throttling'", "x=y, sluice" })
	void dashboardWithoutItsEndpointStopsTheStart(String option, String exposed) {
		run((runner) -> dashboard(runner).withPropertyValues("management.endpoints.web.exposure.include=" + exposed,
				option.contains("access") ? "management.endpoint.throttling." + option : option),
				"The dashboard reads the endpoint 'throttling', which is not available");
	}

	@Test
	void dashboardHasItsEndpoint() {
		run((runner) -> dashboard(runner)
			.withPropertyValues("management.endpoints.web.exposure.include=sluice,throttling"), null);
	}

	private static WebApplicationContextRunner dashboard(WebApplicationContextRunner runner) {
		return runner
			.withConfiguration(
					AutoConfigurations.of(EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
							SluiceEndpointAutoConfiguration.class, SluiceDashboardAutoConfiguration.class))
			.withPropertyValues("management.endpoint.sluice.access=READ_ONLY");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			management.endpoint.throttling.show-key=always | management.endpoint.throttling.show-keys
			management.endpoint.throttling.role=ADMIN      | management.endpoint.throttling.roles
			management.endpoint.throttling.tops=3          | management.endpoint.throttling.top
			management.endpoint.sluice.acces=read-only     | management.endpoint.sluice.access
			management.health.sluice.max-waits=3s          | management.health.sluice.max-wait
			""")
	void misspeltPropertyOfAnEndpointStopsTheStart(String property, String nearest) {
		run((runner) -> runner.withPropertyValues(property),
				"Did you mean '" + nearest + "'? Correct the name, or remove '" + property.split("=")[0] + "'.");
	}

	static Stream<Arguments> conflicts() {
		return Stream.of(Arguments.of(Controller.class, "the method " + Controller.class.getName() + ".rooms"),
				Arguments.of(AnyController.class, "the method " + AnyController.class.getName() + ".any"),
				Arguments.of(Raw.class, "the handler of '/rooms', "));
	}

	@ParameterizedTest
	@MethodSource("conflicts")
	void pathOfAnEndpointThatAnotherHandlerServesStopsTheStart(Class<?> other, String description) {
		run((runner) -> runner.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withUserConfiguration(Rooms.class, other),
				"The path '/rooms' of a @WebSocketEndpoint is also the path of " + description);
	}

	@Test
	void controllerForOtherRequestsMayHaveThePathOfAnEndpoint() {
		run((runner) -> runner.withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class))
			.withUserConfiguration(Rooms.class, PostController.class), null);
	}

	@Test
	void handlersWithPatternsOfAnotherSyntaxMayPrecedeAnEndpoint() {
		run((runner) -> runner.withUserConfiguration(Rooms.class, AntPatterns.class), null);
	}

	@Test
	void pathsThatDifferInTheNamesOfVariablesStopTheStart() {
		run((runner) -> runner.withUserConfiguration(First.class, Second.class),
				"Its path '/{b}/x' matches the same requests as the path '/{a}/x' of another class");
	}

	private void run(UnaryOperator<WebApplicationContextRunner> application, String problem) {
		application.apply(this.contextRunner).run((context) -> {
			if (problem == null) {
				assertThat(context).hasNotFailed();
			}
			else {
				assertThat(context).hasFailed();
				assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(problem);
			}
		});
	}

	static class Limited {

		@Throttled(value = "counts", limit = 1, period = "1s")
		void count() {
		}

	}

	static class Booking {

		@Throttled(value = "booking", limit = 1, period = "1s")
		@Throttled(value = "seatReservations", limit = 1, period = "1s")
		void book() {
		}

		@Throttled(value = "held", limit = 1, period = "1s")
		@Throttled(value = "api-get", limit = 1, period = "1s")
		@Throttled(value = "user-7", limit = 1, period = "1s")
		@Throttled("backing")
		void back() {
		}

	}

	@WebSocketEndpoint(path = "/resumable", resumable = true)
	static class Resumable extends ManagedSession {

		@OnMessage("hello")
		void hello() {
		}

	}

	@WebSocketEndpoint("/rooms")
	static class Rooms extends ManagedSession {

		@OnMessage
		void said(String text) {
		}

	}

	@WebSocketEndpoint("/{a}/x")
	static class First extends Rooms {

	}

	@WebSocketEndpoint("/{b}/x")
	static class Second extends Rooms {

	}

	@RestController
	static class Controller {

		@GetMapping("/rooms")
		List<String> rooms() {
			return List.of();
		}

	}

	@RestController
	static class AnyController {

		@GetMapping("/{page}")
		String any(String page) {
			return page;
		}

	}

	@RestController
	static class PostController {

		@PostMapping("/rooms")
		void open() {
		}

		@GetMapping(path = "/rooms", params = "list")
		void list() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocket
	static class Raw {

		@Bean
		WebSocketConfigurer handlers() {
			return (registry) -> {
				registry.addHandler(new TextWebSocketHandler(), "/rooms");
				registry.addHandler(new TextWebSocketHandler(), "/sock").withSockJS();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AntPatterns {

		@Bean
		SimpleUrlHandlerMapping files() {
			SimpleUrlHandlerMapping mapping = new SimpleUrlHandlerMapping(
					Map.of("/files/**/latest", new ResourceHttpRequestHandler()), Ordered.HIGHEST_PRECEDENCE);
			mapping.setPatternParser(null);
			return mapping;
		}

	}

}
