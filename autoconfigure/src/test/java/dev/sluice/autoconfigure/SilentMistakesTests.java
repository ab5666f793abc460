package dev.sluice.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.sluice.annotation.BatchListener;
import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.autoconfigure.batch.SluiceBatchAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterAutoConfiguration;
import dev.sluice.autoconfigure.cluster.SluiceClusterProperties;
import dev.sluice.autoconfigure.fixture.FailureAnalyses;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.Warnings;
import dev.sluice.autoconfigure.properties.names.SluicePropertiesAutoConfiguration;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceStompAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketProperties;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.OverridingClassLoader;
import org.springframework.http.HttpStatus;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.annotation.SubscribeMapping;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistakes that would have no effect and no message: those that cannot work stop the
 * start, the others are logged once. What only looks like a mistake is neither.
 */
@ExtendWith(OutputCaptureExtension.class)
class SilentMistakesTests {

	private final WebApplicationContextRunner contextRunner = new WebApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(SluicePropertiesAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class,
					SluiceWebSocketAutoConfiguration.class, SluiceStompAutoConfiguration.class,
					SluiceClusterAutoConfiguration.class, SluiceBatchAutoConfiguration.class));

	@Test
	void propertyBelowAnotherPrefixIsLogged(CapturedOutput output) {
		Map<String, String> mistakes = Map.ofEntries(
				Map.entry("management.throttling.top", "management.endpoint.throttling.top"),
				Map.entry("management.endpoints.throttling.top", "management.endpoint.throttling.top"),
				Map.entry("management.endpoint.throttle.top", "management.endpoint.throttling.top"),
				Map.entry("management.endpoint.throtling.show-keys", "management.endpoint.throttling.show-keys"),
				Map.entry("management.health.throttling.max-wait", "management.health.sluice.max-wait"),
				Map.entry("management.health.sluce.max-wait", "management.health.sluice.max-wait"),
				Map.entry("spring.sluice.websocket.max-sessions", "sluice.websocket.max-sessions"),
				Map.entry("slice.websocket.max-sessions", "sluice.websocket.max-sessions"),
				Map.entry("sluice-websocket.max-sessions", "sluice.websocket.max-sessions"),
				Map.entry("sluices.throttles.a.limit", "sluice.throttles.a.limit"));
		run((runner) -> runner
			.withPropertyValues(mistakes.keySet().stream().map((name) -> name + "=5").toArray(String[]::new)),
				this::started);
		mistakes.forEach((name, meant) -> assertThat(output).containsOnlyOnce("Property '" + name
				+ "' is no property of Sluice and has no effect on it. Did you mean '" + meant + "'?"));
	}

	@Test
	void propertyOfAnotherProgramIsNotLogged(CapturedOutput output) {
		run((runner) -> runner.withPropertyValues("slice.size=5", "sluiceway.enabled=true", "sluice-gate.height=2m",
				"management.endpoint.throttle.access=none", "management.endpoint.health.roles=a",
				"management.endpoint.top.top=1", "app.sluice.websockets.max=1", "slice.websocket.size=5",
				"spring.application.name=sluice"), this::started);
		assertNoWarning(output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "sluice.websocket.max-sessions", "sluice.websocket.maxSessions",
			"sluice.websocket.max_sessions", "SLUICE.WEBSOCKET.MAX_SESSIONS" })
	void nameInAnotherSpellingIsBound(String name) {
		run((runner) -> runner.withPropertyValues(name + "=5"), (context) -> {
			started(context);
			assertThat(context.getBean(SluiceWebSocketProperties.class).maxSessions()).isEqualTo(5);
		});
	}

	@Test
	void namesOfLimitsAndTopicsAreKept() {
		run((runner) -> runner.withPropertyValues("sluice.throttles.My_Limit.limit=1",
				"sluice.throttles.My_Limit.period=1s", "sluice.throttles.ordersList.limit=1",
				"sluice.throttles.ordersList.period=1s", "sluice.cluster.topics.Room_1.history.size=5"), (context) -> {
					started(context);
					assertThat(context.getBean(ThrottlingManager.class).find("My_Limit")).isPresent();
					assertThat(context.getBean(ThrottlingManager.class).find("ordersList")).isPresent();
					assertThat(context.getBean(SluiceClusterProperties.class).topics()).containsKey("Room_1");
				});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			sluice.throttle.api.limit=1      | Did you mean 'sluice.throttles.api.limit'?
			sluice.websockets.max-sessions=1 | Did you mean 'sluice.websocket.max-sessions'?
			sluice.throttles[0].limit=1      | Write 'sluice.throttles.<name>.<option>'.
			sluice.batches[0].slots=1        | Write 'sluice.batches.<name>.<option>'.
			sluice.throttles.a=1             | Write 'sluice.throttles.<name>.<option>'.
			sluice.throttles=a,b             | Write 'sluice.throttles.<name>.<option>'.
			""")
	void propertyOfAnotherFormStopsTheStart(String property, String remedy) {
		run((runner) -> runner.withPropertyValues(property), (context) -> assertStopped(context, remedy));
	}

	static Stream<Arguments> endpoints() {
		return Stream.of(Arguments.of(Opened.class, "@OnOpen of jakarta.websocket"),
				Arguments.of(Closed.class, "Override onClose of ManagedSession"),
				Arguments.of(Failed.class, "Override onError of ManagedSession"),
				Arguments.of(HalfAVariable.class, "'/e/{id' is invalid at position"),
				Arguments.of(TwiceAVariable.class, "'/e/{id}/{id}' is invalid at position"),
				Arguments.of(RestInTheMiddle.class, "'/e/{*rest}/x' is invalid at position"),
				Arguments.of(Scheme.class, "cannot be the path of a request, as it has a scheme"),
				Arguments.of(Expression.class, "cannot be the path of a request, as it has a '#'"),
				Arguments.of(Placeholder.class, "'/${no.such}' has a placeholder without a value"),
				Arguments.of(ListOfProtocols.class, "'v1, v2' cannot be requested"),
				Arguments.of(EmptyProtocol.class, "'' cannot be requested"),
				Arguments.of(Emitter.class, "SseEmitter, which cannot be sent"),
				Arguments.of(Abstract.class, "It is abstract"));
	}

	@ParameterizedTest
	@MethodSource("endpoints")
	void endpointThatCannotWorkStopsTheStart(Class<?> endpoint, String problem) {
		run((runner) -> runner.withUserConfiguration(endpoint), (context) -> assertStopped(context, problem));
	}

	@Test
	void endpointWithPartsOfOtherLibrariesIsLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Mapped.class, Sent.class, CrossOrigins.class, Requested.class,
				Listening.class, Asynchronous.class, Handler.class, Overloads.class, Parameters.class,
				LimitedHook.class, Responding.class), this::started);
		assertThat(output).containsOnlyOnce("@MessageMapping of method " + Mapped.class.getName() + ".mapped has no")
			.containsOnlyOnce("@SubscribeMapping of method " + Mapped.class.getName() + ".subscribed has no")
			.containsOnlyOnce("@MessageExceptionHandler of method " + Mapped.class.getName() + ".failed has no")
			.containsOnlyOnce("@ExceptionHandler of method " + Mapped.class.getName() + ".thrown has no")
			.containsOnlyOnce("@SendTo of method " + Sent.class.getName() + ".said has no")
			.containsOnlyOnce("@SendToUser of method " + Sent.class.getName() + ".toUser has no")
			.containsOnlyOnce(CrossOrigins.class.getName() + ": @CrossOrigin has no effect")
			.contains("'sluice.websocket.allowed-origins'")
			.containsOnlyOnce("@ResponseStatus of method " + Responding.class.getName() + ".said has no effect")
			.containsOnlyOnce("@ResponseBody of method " + Responding.class.getName() + ".said has no effect")
			.containsOnlyOnce(Requested.class.getName() + ": @RequestMapping has no effect")
			.containsOnlyOnce("@RequestMapping of method " + Requested.class.getName() + ".page has no effect")
			.containsOnlyOnce(Listening.class.getName() + ".listen has @EventListener, and is called on a session")
			.containsOnlyOnce(Asynchronous.class.getName() + ".said is @Async")
			.containsOnlyOnce(Handler.class.getName() + ".afterConnectionEstablished is not called")
			.containsOnlyOnce(Handler.class.getName() + ".handleTextMessage is not called")
			.containsOnlyOnce(Overloads.class.getName() + ".onClose is not called. Override onClose(CloseStatus)")
			.containsOnlyOnce(Overloads.class.getName() + ".onOpen is not called. Override onOpen()")
			.containsOnlyOnce(LimitedHook.class.getName() + ".onOpen is not limited, as it is a callback")
			.doesNotContain(LimitedHook.class.getName() + ".count")
			.containsOnlyOnce(Listening.class.getName() + ".take has @BatchListener, and is called on a session")
			.containsOnlyOnce("with @PathVariable, which receives the message")
			.containsOnlyOnce(
					"with @CookieValue, which receives the message. Remove the annotation, and call headers()")
			.containsOnlyOnce(
					"with @AuthenticationPrincipal, which receives the message. Remove the annotation, and call "
							+ "principal()")
			.containsOnlyOnce("with @DestinationVariable, which receives the message")
			.containsOnlyOnce("with @Header, which receives the message")
			.containsOnlyOnce("handles messages of type ' blank'");
	}

	@Test
	void misnamedCallbackIsLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Misnamed.class, Restoring.class), this::started);
		Map<String, String> hooks = Map.of("onOpened", "onOpen()", "onClosed", "onClose(CloseStatus)", "onSuspend",
				"onSuspended()", "onExpire", "onExpired()", "onErrors", "onError(Throwable)");
		hooks.forEach((name, hook) -> assertThat(output).containsOnlyOnce("Method " + Misnamed.class.getName() + '.'
				+ name + " is no callback of the session. Override " + hook + " of ManagedSession"));
		assertThat(output).containsOnlyOnce("Method " + Restoring.class.getName()
				+ ".restore is no callback of the session. Override onResume(Resumption) of ManagedSession");
		assertThat(output.getAll().lines().filter((line) -> line.contains("is no callback"))).hasSize(6);
	}

	@Test
	void callbacksAtTheWrongTimeAreLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(NotResumable.class, Resumed.class, SharedHooks.class,
				Ticking.class), this::started);
		for (String hook : List.of("onResume", "onSuspended", "onExpired")) {
			assertThat(output).containsOnlyOnce("Method " + NotResumable.class.getName() + '.' + hook
					+ " is not called, as the endpoint is not resumable. Set 'resumable = true'");
		}
		assertThat(output).containsOnlyOnce("Method " + Ticking.class.getName()
				+ ".tick is @Scheduled, so that it is called while messages of its session are handled");
		assertThat(Warnings.in(output)).hasSize(4);
	}

	@Test
	void textsThatLikelyMeanSomethingElseAreLogged(CapturedOutput output) {
		run((runner) -> runner
			.withUserConfiguration(Express.class, Query.class, Fragment.class, LeadingBlank.class, TwoPaths.class,
					OtherVariables.class)
			.withPropertyValues("server.servlet.context-path=/api", "spring.mvc.servlet.path=/mvc"), this::started);
		assertThat(output)
			.containsOnlyOnce("the path 'e/:id' has ':id', which is no variable. Write a variable as '{id}'")
			.containsOnlyOnce("the path '/q?x=1' has a query")
			.containsOnlyOnce("the path '/c#' has a '#', which ends the path in the URL of a client")
			.containsOnlyOnce("the path ' /blank' begins or ends with a blank")
			.containsOnlyOnce("the path '/a,/b' is one path with a comma")
			.containsOnlyOnce("the topic 'rooms/:room' has '/:room', which is no variable")
			.containsOnlyOnce("the topic 'chat:$room' has '$room', which is no variable")
			.containsOnlyOnce("the topic 'chat-#room' has '#room', which is no variable")
			.containsOnlyOnce("the topic 'chat-<room>' has '<room>', which is no variable")
			.containsOnlyOnce("the topic 'lobby, news' is one topic with a comma")
			.containsOnlyOnce("the topic 'room-*' is one topic of that name, and no pattern")
			.containsOnlyOnce("the topic ' lobby' begins or ends with a blank")
			.containsOnlyOnce(
					"The path '/api/e/{room}' of a @WebSocketEndpoint begins with 'server.servlet.context-path'")
			.containsOnlyOnce("The path '/mvc/e/{room}' of a @WebSocketEndpoint begins with 'spring.mvc.servlet.path'");
	}

	@Test
	void beansWithoutEffectAreLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Plain.class, Injected.class, Stray.class, Pathless.class),
				this::started);
		assertThat(output)
			.containsOnlyOnce("Bean 'silentMistakesTests.Injected' has the session 'silentMistakesTests.Plain'")
			.containsOnlyOnce("Bean 'holder' has the session 'silentMistakesTests.Plain' injected")
			.containsOnlyOnce(
					Stray.class.getName() + ".said of bean 'silentMistakesTests.Stray' has @OnMessage and is not")
			.containsOnlyOnce(
					"Bean 'silentMistakesTests.Pathless' of type " + Pathless.class + " is a session, and has no");
	}

	@Test
	void destinationsOfStompThatNothingServesAreLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(StompBroker.class, Destinations.class), this::started);
		assertThat(output)
			.containsOnlyOnce(".unserved is sent to '/news', which no broker serves; the prefixes of brokers "
					+ "are [/queue, /topic]")
			.containsOnlyOnce(".relative is sent to 'topic/x', which no broker serves")
			.containsOnlyOnce("The destination '/app/x' of method " + Destinations.class.getName()
					+ ".repeated begins with the prefix of the application");
		assertThat(output.getAll().lines().filter((line) -> line.contains("DestinationsReport"))).hasSize(3);
	}

	@Test
	void answersOfRejectedMessagesThatNoBrokerServesAreLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(StompBroker.class, LimitedDestinations.class)
			.withPropertyValues("sluice.websocket.stomp.throttled-destination=/errors"), this::started);
		assertThat(output).containsOnlyOnce("Rejected messages of method " + LimitedDestinations.class.getName()
				+ ".limited are answered at '/errors' of the user, which no broker serves");
		assertThat(output.getAll().lines().filter((line) -> line.contains("DestinationsReport"))).hasSize(1);
	}

	@Test
	void destinationsOfStompThatAreServedAreNotLogged(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(RootBroker.class, RootDestinations.class), this::started);
		assertNoWarning(output);
	}

	@Test
	void lazyBeanWhoseMethodsCannotBeReadIsLeftOut(CapturedOutput output) {
		run((runner) -> runner.withUserConfiguration(Plain.class).withInitializer((context) -> {
			RootBeanDefinition unreadable = new RootBeanDefinition(HidingLoader.load(Incomplete.class, Holder.class));
			unreadable.setLazyInit(true);
			((GenericApplicationContext) context).registerBeanDefinition("unreadable", unreadable);
		}), this::started);
		assertNoWarning(output);
	}

	@Test
	void whatOnlyLooksLikeAMistakeIsNotLogged(CapturedOutput output) {
		run((runner) -> runner
			.withUserConfiguration(Rooms.class, Coordinates.class, Verbs.class, Files.class, Hooks.class,
					Commands.class, Paged.class, Looked.class, Plain.class, Found.class, Server.class)
			.withPropertyValues("server.servlet.context-path=/roo"), this::started);
		assertNoWarning(output);
	}

	private void run(UnaryOperator<WebApplicationContextRunner> application,
			Consumer<AssertableWebApplicationContext> check) {
		application.apply(this.contextRunner).run(check::accept);
	}

	private void started(AssertableWebApplicationContext context) {
		assertThat(context).hasNotFailed();
	}

	private void assertStopped(AssertableWebApplicationContext context, String problem) {
		assertThat(context).hasFailed();
		assertThat(FailureAnalyses.of(context.getStartupFailure())).contains(problem);
	}

	private static void assertNoWarning(CapturedOutput output) {
		assertThat(Warnings.in(output)).isEmpty();
	}

	/** Takes texts. */
	abstract static class Texts extends ManagedSession {

		@OnMessage
		void text(String text) {
		}

	}

	@WebSocketEndpoint("/e")
	static class Opened extends Texts {

		@OnOpen
		void opened(Session session) {
		}

	}

	@WebSocketEndpoint("/e")
	static class Closed extends Texts {

		@OnClose
		void closed() {
		}

	}

	@WebSocketEndpoint("/e")
	static class Failed extends Texts {

		@OnError
		void failed(Throwable error) {
		}

	}

	@WebSocketEndpoint("/e/{id")
	static class HalfAVariable extends Texts {

	}

	@WebSocketEndpoint("/e/{id}/{id}")
	static class TwiceAVariable extends Texts {

	}

	@WebSocketEndpoint("/e/{*rest}/x")
	static class RestInTheMiddle extends Texts {

	}

	@WebSocketEndpoint("ws://localhost/e")
	static class Scheme extends Texts {

	}

	@WebSocketEndpoint("/#{path}")
	static class Expression extends Texts {

	}

	@WebSocketEndpoint("/${no.such}")
	static class Placeholder extends Texts {

	}

	@WebSocketEndpoint(path = "/e", subProtocols = "v1, v2")
	static class ListOfProtocols extends Texts {

	}

	@WebSocketEndpoint(path = "/e", subProtocols = "")
	static class EmptyProtocol extends Texts {

	}

	@WebSocketEndpoint("/e")
	static class Emitter extends ManagedSession {

		@OnMessage
		SseEmitter said(String text) {
			return new SseEmitter();
		}

	}

	@WebSocketEndpoint("/e")
	abstract static class Abstract extends Texts {

	}

	@WebSocketEndpoint("/mapped")
	static class Mapped extends Texts {

		@MessageMapping("/x")
		void mapped(String text) {
		}

		@SubscribeMapping("/x")
		void subscribed() {
		}

		@MessageExceptionHandler
		void failed(Exception ex) {
		}

		@ExceptionHandler
		void thrown(Exception ex) {
		}

	}

	@WebSocketEndpoint("/sent")
	static class Sent extends ManagedSession {

		@OnMessage("said")
		@SendTo("/topic/x")
		String said(Map<String, Object> message) {
			return "";
		}

		@OnMessage("user")
		@SendToUser
		String toUser(Map<String, Object> message) {
			return "";
		}

	}

	@WebSocketEndpoint("/responding")
	static class Responding extends ManagedSession {

		@OnMessage("x")
		@ResponseStatus(HttpStatus.CREATED)
		@ResponseBody
		String said(Map<String, Object> message) {
			return "";
		}

	}

	@WebSocketEndpoint("/origins")
	@CrossOrigin
	static class CrossOrigins extends Texts {

	}

	@WebSocketEndpoint("/requested")
	@RequestMapping("/api")
	static class Requested extends Texts {

		@GetMapping("/page")
		String page() {
			return "";
		}

	}

	@WebSocketEndpoint("/listening")
	static class Listening extends Texts {

		@EventListener
		void listen(String event) {
		}

		@BatchListener("mails")
		void take(List<String> mails) {
		}

	}

	@WebSocketEndpoint("/asynchronous")
	static class Asynchronous extends ManagedSession {

		@OnMessage
		@Async
		void said(String text) {
		}

	}

	@WebSocketEndpoint("/handler")
	static class Handler extends Texts {

		void afterConnectionEstablished(WebSocketSession session) {
		}

		void handleTextMessage(WebSocketSession session, TextMessage message) {
		}

	}

	@WebSocketEndpoint("/overloads")
	static class Overloads extends Texts {

		void onClose() {
		}

		void onOpen(WebSocketSession session) {
		}

	}

	@WebSocketEndpoint("/misnamed")
	static class Misnamed extends Texts {

		public void onOpened() {
		}

		protected void onClosed(CloseStatus status) {
		}

		void onSuspend() {
		}

		void onExpire() {
		}

		void onErrors(Throwable error) {
		}

	}

	@WebSocketEndpoint("/restoring")
	static class Restoring extends Texts {

		protected void restore(Resumption resumption) {
		}

	}

	@WebSocketEndpoint("/not-resumable")
	static class NotResumable extends Texts {

		@Override
		protected void onResume(Resumption resumption) {
		}

		@Override
		protected void onSuspended() {
		}

		@Override
		protected void onExpired() {
		}

	}

	@WebSocketEndpoint(path = "/resumed", resumable = true)
	static class Resumed extends Texts {

		@Override
		protected void onResume(Resumption resumption) {
		}

	}

	/** Has hooks for those of its subclasses that are resumable. */
	abstract static class Hooked extends Texts {

		@Override
		protected void onSuspended() {
		}

	}

	@WebSocketEndpoint("/shared-hooks")
	static class SharedHooks extends Hooked {

	}

	@WebSocketEndpoint("/ticking")
	static class Ticking extends Texts {

		@Scheduled(fixedRate = 1000)
		void tick() {
		}

	}

	@WebSocketEndpoint("/limited-hook")
	static class LimitedHook extends ManagedSession {

		@Override
		@Throttled("openings")
		protected void onOpen() {
		}

		@Mutex("count")
		void count() {
		}

		@OnMessage("limited")
		@Semaphore("limited")
		void limited() {
		}

	}

	@WebSocketEndpoint("/parameters")
	static class Parameters extends ManagedSession {

		@OnMessage("a")
		void path(@PathVariable String room) {
		}

		@OnMessage("b")
		void destination(@DestinationVariable String room) {
		}

		@OnMessage("c")
		void header(@Header String room) {
		}

		@OnMessage("d")
		void cookie(@CookieValue String room) {
		}

		@OnMessage("e")
		void principal(@AuthenticationPrincipal String user) {
		}

		@OnMessage(" blank")
		void blank(Map<String, Object> message) {
		}

	}

	@WebSocketEndpoint("e/:id")
	static class Express extends Texts {

	}

	@WebSocketEndpoint("/q?x=1")
	static class Query extends Texts {

	}

	@WebSocketEndpoint(" /blank")
	static class LeadingBlank extends Texts {

	}

	@WebSocketEndpoint("/c#")
	static class Fragment extends Texts {

	}

	@WebSocketEndpoint("/a,/b")
	static class TwoPaths extends Texts {

	}

	@WebSocketEndpoint(path = { "/api/e/{room}", "/mvc/e/{room}" },
			topics = { "rooms/:room", "chat:$room", "chat-#room", "chat-<room>", "lobby, news", "room-*", " lobby" })
	static class OtherVariables extends Texts {

	}

	@WebSocketEndpoint("/plain")
	static class Plain extends Texts {

	}

	@Configuration(proxyBeanMethods = false)
	static class Injected {

		@Autowired
		private Plain session;

		@Bean
		Holder holder(Plain session) {
			return new Holder(session);
		}

	}

	record Holder(ManagedSession session) {
	}

	@Component
	static class Stray {

		@OnMessage
		void said(String text) {
		}

	}

	@Component
	static class Pathless extends Texts {

	}

	@Controller
	static class Destinations {

		@MessageMapping("/unserved")
		@SendTo("/news")
		String unserved(String text) {
			return text;
		}

		@MessageMapping("/relative")
		@SendTo("topic/x")
		String relative(String text) {
			return text;
		}

		@MessageMapping("/app/x")
		void repeated(String text) {
		}

		@MessageMapping("/served/{room}")
		@SendTo({ "/topic/{room}", "/{room}", "/topics/x", "/user/ada/queue/x" })
		String served(String text) {
			return text;
		}

		@MessageMapping("/application")
		@SendToUser("/queue/x")
		String user(String text) {
			return text;
		}

		@SubscribeMapping("/topic/first")
		String first() {
			return "";
		}

	}

	@Controller
	static class LimitedDestinations {

		@MessageMapping("/limited")
		@Mutex("bid")
		void limited(String text) {
		}

		@MessageMapping("/unlimited")
		void unlimited(String text) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSocketMessageBroker
	static class RootBroker implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/queue");
			registry.setApplicationDestinationPrefixes("/");
			registry.setUserDestinationPrefix("/own/");
		}

	}

	@Controller
	static class RootDestinations {

		@MessageMapping("/x")
		@SendTo("/own/ada/queue/x")
		String said(String text) {
			return text;
		}

	}

	/** A bean of a library, one of whose optional classes is absent. */
	static class Incomplete {

		void hold(Holder holder) {
		}

	}

	/** Loads a class that does not find another one. */
	static final class HidingLoader extends OverridingClassLoader {

		private final Class<?> type;

		private final Class<?> hidden;

		private HidingLoader(Class<?> type, Class<?> hidden) {
			super(type.getClassLoader());
			this.type = type;
			this.hidden = hidden;
		}

		static Class<?> load(Class<?> type, Class<?> hidden) {
			return ClassUtils.resolveClassName(type.getName(), new HidingLoader(type, hidden));
		}

		@Override
		protected boolean isEligibleForOverriding(String className) {
			return className.equals(this.type.getName());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.equals(this.hidden.getName())) {
				throw new ClassNotFoundException(name);
			}
			return super.loadClass(name, resolve);
		}

	}

	@WebSocketEndpoint(path = "/rooms/{room}", subProtocols = { "v1.chat", "v2+json" },
			topics = { "chat:room-{room}", "#room-{room}", "a,{room}", "all:rooms" })
	static class Rooms extends Texts {

	}

	@WebSocketEndpoint(path = "/tiles/{x}/{y}", topics = { "tile-{x},{y}", "tile:{x}:{y}", "$all" })
	static class Coordinates extends Texts {

	}

	@WebSocketEndpoint("/jobs/{job}/now:run")
	static class Verbs extends Texts {

	}

	@WebSocketEndpoint({ "/files/{name:[a-z]#?}", "/files/*/raw", "/file?", "/all/**", "relative" })
	static class Files extends Texts {

	}

	@WebSocketEndpoint(path = "/hooks", resumable = true)
	static class Hooks extends ManagedSession {

		@Override
		protected void onClose(CloseStatus status) {
			onClose();
		}

		private void onClose() {
		}

		public void onClosed(CloseStatus status) {
		}

		@Override
		protected void onResume(Resumption resumption) {
			onResumed(resumption);
		}

		protected void onResumed(Resumption resumption) {
		}

		private void onOpened() {
		}

		static void onExpire() {
		}

		void onErrors(int errors) {
		}

		@OnMessage
		void said(@Payload String text) {
		}

		String handleMessage(String text) {
			return text;
		}

	}

	@WebSocketEndpoint("/commands")
	static class Commands extends ManagedSession {

		@OnMessage("suspend")
		void onSuspend() {
		}

	}

	@WebSocketEndpoint("/paged")
	@RestController
	static class Paged extends Texts {

		@GetMapping("/page")
		@Throttled(value = "pages", limit = 1, period = "1s")
		String page() {
			return "";
		}

	}

	@WebSocketEndpoint("/looked")
	abstract static class Looked extends Texts {

		@Lookup
		abstract Holder holder();

	}

	@Configuration(proxyBeanMethods = false)
	static class Found {

		@Bean
		List<Object> sessions(ObjectProvider<Plain> sessions) {
			return List.of(sessions);
		}

		@Bean
		@Scope("prototype")
		Made made() {
			return new Made();
		}

	}

	@WebSocketEndpoint("/made")
	static class Made extends Texts {

	}

	@WebSocketEndpoint("/server")
	@ServerEndpoint("/other")
	static class Server extends Texts {

		@OnOpen
		void opened(Session session) {
		}

	}

}
