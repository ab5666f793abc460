package dev.sluice.cluster.endpoint;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.bus.HistoryLimits;
import dev.sluice.bus.MemoryBus;
import dev.sluice.cluster.ClusterObserver;
import dev.sluice.cluster.ObservedExchange;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.cluster.Topic;
import dev.sluice.cluster.endpoint.ResumeNode.Client;
import dev.sluice.cluster.endpoint.ResumeNode.Told;
import dev.sluice.cluster.resume.ResumeSettings;
import dev.sluice.execution.Level;
import dev.sluice.test.SettableClock;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.ObservedMessage;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.settings.WebSocketSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each method of each extension of sessions throws or returns {@code null}, at each call:
 * messages arrive all the same, and nothing is left behind.
 */
class ThrowingExtensionsTests {

	private static final List<Class<?>> EXTENSIONS = List.of(MessageObserver.class, ObservedMessage.class,
			ObservedMessage.Scope.class, PrincipalContext.class, PrincipalContext.Scope.class, ClusterObserver.class,
			ObservedExchange.class, LevelResolver.class, MessageErrorHandler.class, ApplicationEventPublisher.class);

	private static final ResumeSettings SETTINGS = new ResumeSettings(Duration.ofMinutes(2), 4_000, 3, 1_000_000,
			false);

	private final SettableClock clock = new SettableClock();

	private final MemoryBus bus = new MemoryBus(Runnable::run, this.clock);

	private final List<CompletableFuture<?>> futures = new ArrayList<>();

	static Stream<Arguments> attacks() {
		return EXTENSIONS.stream()
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((method) -> !Modifier.isStatic(method.getModifiers()))
			.flatMap((method) -> Arrays.stream(Fault.values())
				.filter((fault) -> fault != Fault.NULL || method.getReturnType() != void.class)
				.map((fault) -> Arguments.of(method, fault)));
	}

	@ParameterizedTest
	@MethodSource("attacks")
	void messagesArriveAndNothingIsLeft(Method method, Fault fault) {
		ResumeNode node = node(method, fault);
		boolean unusable = method.getDeclaringClass() == PrincipalContext.class
				|| method.getDeclaringClass() == LevelResolver.class && fault != Fault.NULL;
		try (node) {
			Client client = node.open("ann");
			client.say("{\"type\":\"echo\",\"text\":\"1\"}");
			client.say("{\"type\":\"unknown\"}");
			client.say("{\"type\":\"echo\",\"text\":\"2\"}");
			Topic lobby = node.cluster.topic("lobby");
			this.futures.add(lobby.publish(new Told("3")));
			this.futures.add(lobby.post(new Told("4")));
			this.futures.add(node.cluster.send(SessionQuery.all(), new Told("5")));
			this.futures.add(node.cluster.find(SessionQuery.all()));
			this.futures.add(node.dispatcher.sessions().sendToAll(new Told("6")));
			if (unusable) {
				assertThat(client.closed).isEqualTo(CloseStatus.SERVER_ERROR);
				this.clock.advance(SETTINGS.window());
			}
			else {
				assertThat(client.texts()).containsExactly("1", "2", "3", "4", "5", "6");
				client.lose(CloseStatus.NORMAL);
			}
			assertNothingIsLeft(node);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCEPTION", "ERROR" })
	void sessionWhoseConstructorThrowsEnds(Fault fault) {
		try (ResumeNode node = node(null, fault)) {
			node.made = fault::run;
			for (int i = 0; i < 20; i++) {
				assertThat(node.open("ann").closed).isEqualTo(CloseStatus.SERVER_ERROR);
			}
			assertNothingIsLeft(node);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "EXCEPTION", "ERROR" })
	void sessionWhoseConstructorThrowsOnResumeExpires(Fault fault) {
		try (ResumeNode node = node(null, fault)) {
			Client client = node.open("ann");
			this.futures.add(client.session().send(new Told("x".repeat(1_000))));
			client.lose();
			node.made = fault::run;
			for (int i = 0; i < 20; i++) {
				assertThat(node.resume(client).closed).isEqualTo(CloseStatus.SERVER_ERROR);
			}
			this.clock.advance(SETTINGS.window());
			assertNothingIsLeft(node);
		}
	}

	@Test
	void sessionWhoseConstructorThrewOnceIsResumed() {
		try (ResumeNode node = node(null, Fault.EXCEPTION)) {
			Client client = node.open("ann");
			client.lose();
			node.made = Fault.EXCEPTION::run;
			assertThat(node.resume(client).closed).isEqualTo(CloseStatus.SERVER_ERROR);
			node.made = () -> {
			};
			Client resumed = node.resume(client);
			assertThat(resumed.first().path("type").asString()).isEqualTo("resumed");
			resumed.lose(CloseStatus.NORMAL);
			assertNothingIsLeft(node);
		}
	}

	@ParameterizedTest
	@EnumSource(Fault.class)
	void principalWithoutANameHasNoSession(Fault fault) {
		try (ResumeNode node = node(null, fault)) {
			Client client = node.connect(node.new Client("unnamed", null) {

				@Override
				public Principal getPrincipal() {
					return () -> {
						fault.run();
						return null;
					};
				}

			});
			assertThat(client.closed).isEqualTo(CloseStatus.SERVER_ERROR);
			assertNothingIsLeft(node);
		}
	}

	private ResumeNode node(@Nullable Method attacked, Fault fault) {
		Extensions extensions = new Extensions(attacked, fault);
		return new ResumeNode(this.bus.connect(), this.clock, new HistoryLimits(5, Duration.ofMinutes(5)), SETTINGS,
				Runnable::run, Runnable::run, WebSocketSettings.defaults(),
				(builder) -> builder.observer(extensions.of(MessageObserver.class))
					.principals(extensions.of(PrincipalContext.class))
					.levels(extensions.of(LevelResolver.class))
					.errorHandlers(List.of(extensions.of(MessageErrorHandler.class)))
					.events(extensions.of(ApplicationEventPublisher.class)),
				extensions.of(ClusterObserver.class));
	}

	private void assertNothingIsLeft(ResumeNode node) {
		assertThat(this.futures).allMatch(CompletableFuture::isDone);
		assertThat(node.dispatcher.context().sessions().open()).isEmpty();
		assertThat(node.dispatcher.sharedSends().total().toString()).startsWith("0 bytes wait");
		assertThat(node.cluster.resumes().snapshot()).returns(0, (all) -> all.resumable())
			.returns(0, (all) -> all.suspended())
			.returns(0L, (all) -> all.bytes());
		assertThat(node.cluster.snapshot(0).members()).isZero();
		assertThat(node.queues()).isZero();
		assertThat(node.dispatcher.shutdown().drainAndClose(Duration.ofMinutes(1))).isCompleted();
	}

	/** What an extension does in place of its work. */
	enum Fault {

		EXCEPTION {

			@Override
			void run() {
				throw new IllegalStateException("expected");
			}

		},

		ERROR {

			@Override
			void run() {
				throw new AssertionError("expected");
			}

		},

		CHECKED {

			@Override
			void run() {
				throw Fault.<RuntimeException>unchecked(new IOException("expected"));
			}

		},

		NULL {

			@Override
			void run() {
			}

		};

		abstract void run();

		@SuppressWarnings("unchecked")
		private static <X extends Throwable> X unchecked(Throwable failure) throws X {
			throw (X) failure;
		}

	}

	/** Extensions that do nothing, but for the method that is attacked. */
	private record Extensions(@Nullable Method attacked, Fault fault) implements InvocationHandler {

		<T> T of(Class<T> type) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, this));
		}

		@Override
		public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments) {
			if (method.equals(this.attacked)) {
				this.fault.run();
				return null;
			}
			if (method.getDeclaringClass() == Object.class) {
				return switch (method.getName()) {
					case "equals" -> proxy == arguments[0];
					case "hashCode" -> 1;
					default -> "extension";
				};
			}
			if (method.getReturnType() == Map.class) {
				return Map.of();
			}
			if (method.getReturnType() == Level.class || method.getReturnType() == Object.class) {
				return null;
			}
			return (method.getReturnType() != void.class) ? of(method.getReturnType()) : null;
		}

	}

}
