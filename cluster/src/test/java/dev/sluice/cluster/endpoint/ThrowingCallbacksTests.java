package dev.sluice.cluster.endpoint;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ClusterSnapshot;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.internal.ClusterSettings;
import dev.sluice.cluster.internal.DefaultSessionCluster;
import dev.sluice.cluster.internal.presence.PresenceSettings;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.endpoint.ConnectedSessions;
import dev.sluice.websocket.endpoint.EndpointHandler;
import dev.sluice.websocket.endpoint.SessionLifecycle;
import dev.sluice.websocket.endpoint.SessionObjects;
import dev.sluice.websocket.handler.HandlerContext;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each callback of raw, typed and resumable sessions throws, from the first message of a
 * session on and at its end: afterwards, nothing is held.
 */
class ThrowingCallbacksTests {

	private static final Duration WINDOW = Duration.ofMinutes(2);

	private final SettableClock clock = new SettableClock();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final List<CompletableFuture<?>> futures = new ArrayList<>();

	private final List<String> callbacks = new ArrayList<>();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, Runnable::run)
		.control(Runnable::run)
		.clock(this.clock)
		.settings(TestSettings.of(new QuotaLimits(100, 10, 100, Integer.MAX_VALUE)))
		.observer(new Observer())
		.principals(new Principals())
		.events((event) -> reach(Point.LISTENER))
		.build();

	private final DefaultSessionCluster cluster = new DefaultSessionCluster(
			new MemoryBus(Runnable::run, this.clock).connect(), this.dispatcher, Runnable::run, this.clock,
			new ClusterSettings(Duration.ofSeconds(2), new HistoryLimits(5, Duration.ofMinutes(5)), 8,
					PresenceSettings.OFF, new ResumeSettings(WINDOW, 4_000, 3, 1_000_000, false)),
			new Exchanges());

	private @Nullable Point failing;

	private Failure failure = Failure.RUNTIME;

	@ParameterizedTest
	@MethodSource("cases")
	void nothingIsHeldAfterwards(Point point, Failure failure, Kind kind) throws Exception {
		WebSocketHandler handler = handler(kind);
		Client other = connect(kind, handler, "other");
		this.failure = failure;
		for (boolean before : new boolean[] { true, false }) {
			this.failing = before ? point : null;
			Client client = connect(kind, handler, before ? "before" : "after");
			this.failing = point;
			use(client, handler);
			if (kind == Kind.RESUMABLE) {
				client.end(handler, CloseStatus.NO_CLOSE_FRAME);
				Client back = resume(client, handler, before ? "back-before" : "back-after");
				use(back, handler);
				back.end(handler, CloseStatus.NORMAL);
			}
			client.end(handler, CloseStatus.NORMAL);
		}
		assertThat(other.closed).noneMatch((status) -> status.getCode() == 1013);
		other.end(handler, CloseStatus.NORMAL);
		assertNothingIsHeld();
	}

	static Stream<Arguments> cases() {
		return Stream.of(Point.values())
			.flatMap((point) -> Stream.of(Failure.values())
				.filter((failure) -> failure != Failure.NULL || point.hasResult)
				.flatMap((failure) -> Stream.of(Kind.values()).map((kind) -> Arguments.of(point, failure, kind))));
	}

	@Test
	void aHandlerIsNotifiedOfTheEndEvenWithoutItsContext() throws Exception {
		WebSocketHandler handler = handler(Kind.RAW);
		Client client = connect(Kind.RAW, handler, "a");
		this.failing = Point.PRINCIPAL_CONTEXT;
		client.end(handler, CloseStatus.NORMAL);
		assertThat(this.callbacks).contains("closed");
	}

	@ParameterizedTest
	@EnumSource(value = Failure.class, names = "NULL", mode = EnumSource.Mode.EXCLUDE)
	void aListenerThatThrowsClosesNothing(Failure failure) throws Exception {
		this.failure = failure;
		this.failing = Point.LISTENER;
		WebSocketHandler handler = handler(Kind.TYPED);
		Client client = connect(Kind.TYPED, handler, "a");
		assertThat(client.closed).isEmpty();
	}

	private void use(Client client, WebSocketHandler handler) throws Exception {
		client.say(handler, "{\"type\":\"echo\",\"text\":\"hello\"}");
		this.dispatcher.sessions().get(client.getId()).ifPresent((session) -> {
			attempt(() -> session.post("direct"));
			attempt(() -> this.cluster.topic("lobby").join(session));
		});
		attempt(() -> this.dispatcher.sessions().postToAll(ManagedSession.class, (session) -> true, "all"));
		attempt(() -> this.cluster.topic("lobby").post("posted"));
		attempt(() -> this.cluster.topic("lobby").publish("published"));
		attempt(() -> this.cluster.send(SessionQuery.all(), "sent"));
		attempt(() -> this.cluster.find(SessionQuery.all()));
	}

	private void attempt(Callable<CompletableFuture<?>> call) {
		try {
			this.futures.add(call.call());
		}
		catch (Throwable ex) {
			// the caller has its outcome
		}
	}

	private void assertNothingIsHeld() {
		this.failing = null;
		this.clock.advance(WINDOW.plusSeconds(1));
		assertThat(this.futures).allMatch(CompletableFuture::isDone);
		assertThat(this.dispatcher.sharedSends().total()).hasToString(zero());
		assertThat(this.dispatcher.sessions().count()).isZero();
		ClusterSnapshot snapshot = this.cluster.snapshot(5);
		assertThat(snapshot.resume().resumable()).isZero();
		assertThat(snapshot.resume().suspended()).isZero();
		assertThat(snapshot.resume().bytes()).isZero();
		assertThat(snapshot.openRequests()).isZero();
		assertThat(snapshot.members()).isZero();
		assertThat(snapshot.waiting()).isZero();
		assertThat(this.inbound.snapshot(5).queues()).isZero();
		assertThat(this.outbound.snapshot(5).queues()).isZero();
		assertThat(this.dispatcher.context().admission().close()).isCompleted();
		assertThat(this.dispatcher.shutdown().drainAndClose(Duration.ofMinutes(1))).isCompleted();
		this.cluster.close();
	}

	private static String zero() {
		return "0 bytes wait in all sessions; the limit is " + TestSettings.of().totals().outbound();
	}

	private WebSocketHandler handler(Kind kind) {
		if (kind == Kind.RAW) {
			return this.dispatcher.decorate(new Raw());
		}
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("typed",
				new RootBeanDefinition(Typed.class, BeanDefinition.SCOPE_PROTOTYPE, () -> new Typed(this)));
		SessionObjects objects = new SessionObjects(beans, "typed");
		EndpointTopics topics = EndpointTopics.of(Typed.class, List.of("lobby"), List.of("/"));
		topics.start(this.cluster);
		HandlerContext context = this.dispatcher.context();
		SessionLifecycle lifecycle = new JoiningSessions(new ConnectedSessions(objects, context.messages()), topics);
		if (kind == Kind.RESUMABLE) {
			ResumableEndpoint resumable = new ResumableEndpoint("typed", context, topics, objects);
			resumable.start(this.cluster.resumes(), 8, this.cluster::idOf);
			lifecycle = resumable;
		}
		return EndpointHandler.ordered(Typed.class, context, lifecycle);
	}

	private Client connect(Kind kind, WebSocketHandler handler, String id) throws Exception {
		Client client = new Client(id, handler);
		client.open(handler);
		if (kind == Kind.RESUMABLE) {
			client.say(handler, "{\"type\":\"resume\"}");
		}
		return client;
	}

	private Client resume(Client before, WebSocketHandler handler, String id) throws Exception {
		Client client = new Client(id, handler);
		client.open(handler);
		client.say(handler, (before.token != null) ? "{\"type\":\"resume\",\"token\":\"" + before.token + "\"}"
				: "{\"type\":\"resume\"}");
		return client;
	}

	/** Throws, or returns whether {@code null} is due. */
	private boolean reach(Point point) {
		if (this.failing == point) {
			switch (this.failure) {
				case RUNTIME -> throw new IllegalStateException("expected");
				case ERROR -> throw new AssertionError("expected");
				case CHECKED -> ThrowingCallbacksTests.<RuntimeException>sneak(new Exception("expected"));
				case NULL -> {
					return true;
				}
			}
		}
		return false;
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void sneak(Throwable failure) throws X {
		throw (X) failure;
	}

	@SuppressWarnings({ "NullAway", "DataFlowIssue" })
	private <T> T reach(Point point, T otherwise) {
		return reach(point) ? null : otherwise;
	}

	/** Callback of the application. */
	private enum Point {

		OBSERVER_RECEIVED(true), OBSERVER_SENDING(true), MESSAGE_SCOPE(true), MESSAGE_SCOPE_CLOSE(false),
		MESSAGE_IDENTIFIED(false), MESSAGE_FAILED(false), MESSAGE_ENDED(false), PRINCIPAL_CONTEXT(true),
		PRINCIPAL_CONTEXT_CLOSE(false), PRINCIPAL_NAME(true), CLUSTER_SENDING(true), CLUSTER_RECEIVING(true),
		EXCHANGE_HEADERS(true), EXCHANGE_SCOPE(true), EXCHANGE_SCOPE_CLOSE(false), EXCHANGE_ENDED(false),
		CONSTRUCTOR(false), OPEN(false), RESUME(false), SUSPENDED(false), EXPIRED(false), MESSAGE(false), CLOSE(false),
		LISTENER(false), CONTAINER(false);

		private final boolean hasResult;

		Point(boolean hasResult) {
			this.hasResult = hasResult;
		}

	}

	private enum Failure {

		RUNTIME, ERROR, CHECKED, NULL

	}

	private enum Kind {

		RAW, TYPED, RESUMABLE

	}

	private final class Observer implements MessageObserver {

		@Override
		public ObservedMessage received(String sessionType, String sessionId, Level level) {
			return reach(Point.OBSERVER_RECEIVED, new Observed());
		}

		@Override
		public ObservedMessage sending(String sessionType, String sessionId, Level level) {
			return reach(Point.OBSERVER_SENDING, new Observed());
		}

	}

	private final class Observed implements ObservedMessage {

		@Override
		public Scope open() {
			return reach(Point.MESSAGE_SCOPE, () -> reach(Point.MESSAGE_SCOPE_CLOSE));
		}

		@Override
		public void identified(String type, @Nullable Principal user) {
			reach(Point.MESSAGE_IDENTIFIED);
		}

		@Override
		public void failed(Throwable failure) {
			reach(Point.MESSAGE_FAILED);
		}

		@Override
		public void ended(@Nullable Throwable rejection) {
			reach(Point.MESSAGE_ENDED);
		}

	}

	private final class Principals implements PrincipalContext {

		@Override
		public Scope open(@Nullable Principal principal) {
			return reach(Point.PRINCIPAL_CONTEXT, () -> reach(Point.PRINCIPAL_CONTEXT_CLOSE));
		}

	}

	private final class Exchanges implements ClusterObserver {

		@Override
		public ObservedExchange sending(String action, @Nullable String topic) {
			return reach(Point.CLUSTER_SENDING, new Exchange());
		}

		@Override
		public ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
			return reach(Point.CLUSTER_RECEIVING, new Exchange());
		}

	}

	private final class Exchange implements ObservedExchange {

		@Override
		public Map<String, String> headers() {
			return reach(Point.EXCHANGE_HEADERS, Map.of());
		}

		@Override
		public ObservedMessage.Scope open() {
			return reach(Point.EXCHANGE_SCOPE, () -> reach(Point.EXCHANGE_SCOPE_CLOSE));
		}

		@Override
		public void ended(@Nullable Throwable failure) {
			reach(Point.EXCHANGE_ENDED);
		}

	}

	private final class Raw extends TextWebSocketHandler {

		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
			reach(Point.OPEN);
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
			reach(Point.MESSAGE);
			session.sendMessage(message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			ThrowingCallbacksTests.this.callbacks.add("closed");
			reach(Point.CLOSE);
		}

	}

	record Echo(String text) {
	}

	static class Typed extends ManagedSession {

		private final ThrowingCallbacksTests test;

		Typed(ThrowingCallbacksTests test) {
			this.test = test;
			test.reach(Point.CONSTRUCTOR);
		}

		@OnMessage("echo")
		Echo echo(Echo echo) {
			this.test.reach(Point.MESSAGE);
			return echo;
		}

		@Override
		protected void onOpen() {
			this.test.reach(Point.OPEN);
		}

		@Override
		protected void onResume(Resumption resumption) {
			this.test.reach(Point.RESUME);
		}

		@Override
		protected void onSuspended() {
			this.test.reach(Point.SUSPENDED);
		}

		@Override
		protected void onExpired() {
			this.test.reach(Point.EXPIRED);
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.test.reach(Point.CLOSE);
		}

	}

	private final class Client extends StubSession {

		private final WebSocketHandler handler;

		private final List<CloseStatus> closed = new ArrayList<>();

		private @Nullable String token;

		private boolean opened;

		private boolean ended;

		Client(String id, WebSocketHandler handler) {
			super(id);
			this.handler = handler;
		}

		/** The container closes a connection whose opening failed. */
		void open(WebSocketHandler handler) throws Exception {
			try {
				handler.afterConnectionEstablished(this);
				this.opened = true;
			}
			catch (Throwable ex) {
				this.opened = true;
				end(handler, CloseStatus.SERVER_ERROR);
			}
			if (!isOpen()) {
				end(handler, CloseStatus.SERVER_ERROR);
			}
		}

		void say(WebSocketHandler handler, String text) throws Exception {
			if (!this.ended) {
				handler.handleMessage(this, new TextMessage(text));
			}
		}

		void end(WebSocketHandler handler, CloseStatus status) throws Exception {
			if (!this.ended) {
				this.ended = true;
				handler.afterConnectionClosed(this, status);
			}
		}

		@Override
		public @Nullable Principal getPrincipal() {
			return () -> reach(Point.PRINCIPAL_NAME, "ann");
		}

		@Override
		public void sendMessage(WebSocketMessage<?> message) throws IOException {
			reach(Point.CONTAINER);
			super.sendMessage(message);
			JsonNode frame = ((TextMessage) message).getPayload().startsWith("{")
					? JsonMapper.shared().readTree(((TextMessage) message).getPayload()) : null;
			if (frame != null && frame.has("token")) {
				this.token = frame.get("token").asString();
			}
		}

		@Override
		public void close(CloseStatus status) throws IOException {
			super.close(status);
			this.closed.add(status);
			if (this.opened) {
				try {
					end(this.handler, status);
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			}
		}

	}

}
