package dev.sluice.autoconfigure.websocket.stomp;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.support.ExecutorChannelInterceptor;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Throws at each call of what an application adds to STOMP, and then finds no session, no
 * waiting message and no byte, and other clients served.
 */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class ThrowingStompTests {

	private static final Map<String, Class<?>> TYPES = Map.of("inbound", ExecutorChannelInterceptor.class, "outbound",
			ExecutorChannelInterceptor.class, "converter", MessageConverter.class, "observation",
			ObservationHandler.class);

	/** Methods that are called for channels that are polled, or by no observation. */
	private static final Set<String> UNUSED = Set.of("preReceive", "postReceive", "afterReceiveCompletion",
			"onScopeReset", "onEvent", "onError");

	/** One of so many cases is part of each build. */
	private static final int STEP = 7;

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketDispatcher dispatcher;

	@Autowired
	private List<SequentialLeveledTaskExecutor> executors;

	@Autowired
	private Attack attack;

	static Stream<Arguments> cases() {
		Stream<String> methods = TYPES.entrySet()
			.stream()
			.flatMap((type) -> Arrays.stream(type.getValue().getMethods())
				.filter((method) -> !Modifier.isStatic(method.getModifiers()) && !UNUSED.contains(method.getName()))
				.map((method) -> type.getKey() + ' ' + method.getName()))
			.distinct()
			.sorted();
		return Stream.concat(methods, Stream.of("handler"))
			.flatMap((point) -> Arrays.stream(Fault.values()).map((fault) -> Arguments.of(point, fault)));
	}

	@AfterEach
	void recover() {
		this.attack.end();
	}

	static Stream<Arguments> ofEachBuild() {
		List<Arguments> all = cases().toList();
		return Stream.iterate(0, (i) -> i < all.size(), (i) -> i + STEP).map(all::get);
	}

	@ParameterizedTest
	@MethodSource("ofEachBuild")
	void sessionEndsAndLeavesNothing(String point, Fault fault) throws Exception {
		attack(point, fault);
	}

	@Tag("full")
	@ParameterizedTest
	@MethodSource("cases")
	void sessionsEndAndLeaveNothing(String point, Fault fault) throws Exception {
		attack(point, fault);
	}

	private void attack(String point, Fault fault) throws Exception {
		StompClient client = new StompClient(this.port, "/stomp");
		client.subscribe("/user/queue/echo");
		client.send("/app/echo", "before");
		assertThat(client.next()).isEqualTo("before");
		this.attack.begin(point, fault);
		try {
			client.send("/app/echo", "during");
			client.subscribe("/user/queue/other");
		}
		catch (RuntimeException ex) {
			// the server has closed the connection
		}
		await().until(() -> this.attack.reached.get() > 0);
		try {
			client.close();
		}
		catch (RuntimeException ex) {
			// the server has closed the connection
		}
		this.attack.end();
		try (StompClient other = new StompClient(this.port, "/stomp")) {
			other.subscribe("/user/queue/echo");
			other.send("/app/echo", "after");
			assertThat(other.next()).isEqualTo("after");
		}
		await().untilAsserted(() -> assertThat(this.dispatcher.sessions().count()).isZero());
		await().untilAsserted(
				() -> assertThat(this.dispatcher.sharedSends().total().toString()).startsWith("0 bytes wait"));
		for (SequentialLeveledTaskExecutor executor : this.executors) {
			await().untilAsserted(() -> {
				ExecutorSnapshot snapshot = executor.snapshot(0);
				assertThat(snapshot.queues()).isZero();
				assertThat(snapshot.running() + snapshot.paused() + snapshot.held()).isZero();
				assertThat(snapshot.waitingHigh() + snapshot.waitingNormal()).isZero();
			});
		}
	}

	/** Failure of a call. */
	enum Fault {

		EXCEPTION {

			@Override
			void occur() {
				throw new IllegalStateException("expected");
			}

		},

		ERROR {

			@Override
			void occur() {
				throw new AssertionError("expected");
			}

		},

		FATAL {

			@Override
			void occur() {
				throw new StackOverflowError("expected");
			}

		},

		SNEAKY {

			@Override
			void occur() {
				throwSneaky(new IOException("expected"));
			}

		},

		NULL {

			@Override
			void occur() {
				// the call returns null
			}

		};

		abstract void occur();

		@SuppressWarnings("unchecked")
		static <E extends Throwable> void throwSneaky(Throwable failure) throws E {
			throw (E) failure;
		}

	}

	/** The failing call. */
	static class Attack {

		final AtomicInteger reached = new AtomicInteger();

		private volatile @Nullable String point;

		private volatile Fault fault = Fault.NULL;

		void begin(String failing, Fault failure) {
			this.reached.set(0);
			this.fault = failure;
			this.point = failing;
		}

		void end() {
			this.point = null;
		}

		/** Returns whether the call is to return {@code null}. */
		boolean reach(String call) {
			boolean failing = call.equals(this.point);
			if (failing) {
				this.reached.incrementAndGet();
				this.fault.occur();
			}
			return failing;
		}

		<T> T around(String name, Class<T> type, T target) {
			return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> call(name, target, method, arguments)));
		}

		private @Nullable Object call(String name, Object target, Method method, Object[] arguments) throws Throwable {
			boolean object = method.getDeclaringClass() == Object.class;
			if (!object && reach(name + ' ' + method.getName()) && !method.getReturnType().isPrimitive()) {
				return null;
			}
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ StompBroker.class, Echo.class })
	static class Application {

		@Bean
		Attack attack() {
			return new Attack();
		}

		@Bean
		WebSocketMessageBrokerConfigurer attackedBroker(Attack attack) {
			return new WebSocketMessageBrokerConfigurer() {

				@Override
				public void configureClientInboundChannel(ChannelRegistration registration) {
					registration.interceptors(attack.around("inbound", ExecutorChannelInterceptor.class,
							new ExecutorChannelInterceptor() {
							}));
				}

				@Override
				public void configureClientOutboundChannel(ChannelRegistration registration) {
					registration.interceptors(attack.around("outbound", ExecutorChannelInterceptor.class,
							new ExecutorChannelInterceptor() {
							}));
				}

				@Override
				public boolean configureMessageConverters(List<MessageConverter> converters) {
					converters.add(0, attack.around("converter", MessageConverter.class, new StringMessageConverter()));
					return false;
				}

			};
		}

		@Bean
		@SuppressWarnings("unchecked")
		ObservationHandler<Observation.Context> attackedObservations(Attack attack) {
			return attack.around("observation", ObservationHandler.class, (context) -> true);
		}

	}

	@Controller
	static class Echo {

		private final Attack attack;

		Echo(Attack attack) {
			this.attack = attack;
		}

		@MessageMapping("/echo")
		@SendToUser(destinations = "/queue/echo", broadcast = false)
		@Nullable String echo(String message) {
			return this.attack.reach("handler") ? null : message;
		}

	}

}
