package dev.sluice.benchmarks.websocket;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Scanner;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import dev.sluice.execution.Level;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.SentMessageJournal;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * An application with a handler for each {@link Load}. Prints its port; prints the bytes
 * that live in its heap and those outside of it that it holds for each line it reads;
 * ends with its input.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableWebSocket
class EchoServer implements WebSocketConfigurer {

	/** Begins each message that is urgent where levels are on. */
	static final String URGENT = "!";

	private static final int FILL_MESSAGES = 2048;

	private static final TextMessage FILL_MESSAGE = new TextMessage("x".repeat(4 * 1024));

	private final Function<Answer, WebSocketHandler> handlers;

	EchoServer(Environment environment, ObjectProvider<ThrottlingManager> throttles,
			@Qualifier("applicationTaskExecutor") Executor pool) {
		if (environment.getProperty("by-hand", Boolean.class, false)) {
			this.handlers = (answer) -> new HandWrittenHandler(answer, pool);
		}
		else if (environment.getProperty("limited", Boolean.class, false)) {
			Throttle rate = throttles.getObject()
				.addOrUpdate("echo",
						Limit.tokenBucket(HandWrittenHandler.RATE, HandWrittenHandler.RATE, Duration.ofSeconds(1)));
			this.handlers = (answer) -> handler((session, message) -> {
				if (rate.tryAcquire(session.getId()).admitted()) {
					answer.give(session, message);
				}
			});
		}
		else {
			this.handlers = EchoServer::handler;
		}
	}

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		registry.addHandler(this.handlers.apply(WebSocketSession::sendMessage), Load.ECHO.path);
		registry.addHandler(this.handlers.apply((session, message) -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			session.sendMessage(message);
		}), Load.BLOCKING.path);
		registry.addHandler(this.handlers.apply((session, message) -> {
			for (int i = 0; i < FILL_MESSAGES; i++) {
				session.sendMessage(FILL_MESSAGE);
			}
		}), Load.FILL.path);
	}

	@Bean
	@ConditionalOnBooleanProperty("levels")
	LevelResolver levelResolver() {
		return (session, message) -> ((TextMessage) message).getPayload().startsWith(URGENT) ? Level.HIGH : null;
	}

	/** A journal that costs nothing itself. */
	@Bean
	@ConditionalOnBooleanProperty("journal")
	SentMessageJournal journal() {
		return (messages) -> {
		};
	}

	private static TextWebSocketHandler handler(Answer answer) {
		return new TextWebSocketHandler() {

			@Override
			protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
				answer.give(session, message);
			}

		};
	}

	/** Starts the application on a free port. */
	static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(EchoServer.class).web(WebApplicationType.SERVLET)
			.properties("server.port=0", "spring.main.banner-mode=off", "logging.level.root=off")
			.run(arguments);
	}

	public static void main(String[] arguments) {
		try (ConfigurableApplicationContext application = start(arguments); Scanner commands = new Scanner(System.in)) {
			System.out.println(application.getEnvironment().getProperty("local.server.port"));
			while (commands.hasNextLine()) {
				commands.nextLine();
				System.out.println(liveBytes());
			}
		}
		System.exit(0);
	}

	private static long liveBytes() {
		Runtime runtime = Runtime.getRuntime();
		long least = Long.MAX_VALUE;
		for (int i = 0; i < 5; i++) {
			System.gc();
			least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
		}
		return least + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
			.stream()
			.mapToLong(BufferPoolMXBean::getMemoryUsed)
			.sum();
	}

	/** Observations of which some are traced, as spans that go nowhere. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty("tracer")
	static class TracingConfiguration {

		@Bean
		DefaultTracingObservationHandler tracingObservationHandler(@Value("${tracer}") double share) {
			SdkTracerProvider provider = SdkTracerProvider.builder()
				.setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share)))
				.build();
			return new DefaultTracingObservationHandler(
					new OtelTracer(provider.get("echo"), new OtelCurrentTraceContext(), (event) -> {
					}));
		}

	}

	/** Callback for the answer to a message. */
	@FunctionalInterface
	interface Answer {

		void give(WebSocketSession session, TextMessage message) throws IOException;

	}

}
