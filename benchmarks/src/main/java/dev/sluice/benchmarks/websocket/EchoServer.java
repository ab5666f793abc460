package dev.sluice.benchmarks.websocket;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Scanner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.sluice.execution.Level;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.SentMessageJournal;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.TextMessage;
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

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		registry.addHandler(handler(WebSocketSession::sendMessage), Load.ECHO.path);
		registry.addHandler(handler((session, message) -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			session.sendMessage(message);
		}), Load.BLOCKING.path);
		registry.addHandler(handler((session, message) -> {
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
	private interface Answer {

		void give(WebSocketSession session, TextMessage message) throws IOException;

	}

}
