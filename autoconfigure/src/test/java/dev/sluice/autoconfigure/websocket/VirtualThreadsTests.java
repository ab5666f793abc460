package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.sluice.autoconfigure.ExecutorCustomizer;
import dev.sluice.autoconfigure.fixture.StompBroker;
import dev.sluice.autoconfigure.fixture.StompClient;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.simp.annotation.SendToUser;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** The threads of every task, where the application has virtual ones. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "spring.threads.virtual.enabled=true")
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private Threads threads;

	@AfterEach
	void forget() {
		this.threads.byExecutor.clear();
	}

	@ParameterizedTest
	@ValueSource(strings = { "/raw", "/typed" })
	void messagesComeAndGoOnVirtualThreads(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("hello");
			assertThat(client.next()).isEqualTo("hello");
			assertAllVirtual();
		}
	}

	@Test
	void messagesOfStompComeAndGoOnVirtualThreads() throws Exception {
		try (StompClient client = new StompClient(this.port, "/stomp")) {
			client.subscribe("/user/queue/echo");
			client.send("/app/echo", "hello");
			assertThat(client.next()).isEqualTo("hello");
			assertAllVirtual();
		}
	}

	private void assertAllVirtual() {
		assertThat(this.threads.byExecutor).containsOnlyKeys("inbound", "outbound");
		assertThat(this.threads.byExecutor.values()).allSatisfy((threads) -> assertThat(threads).isNotEmpty()
			.allSatisfy((thread) -> assertThat(thread).hasFieldOrPropertyWithValue("virtual", true)));
	}

	/** Notes the thread of each task. */
	static class Threads implements ExecutorCustomizer {

		private final Map<String, Queue<Thread>> byExecutor = new ConcurrentHashMap<>();

		@Override
		public void customize(String name, SequentialLeveledTaskExecutor.Builder builder) {
			builder.decorator(new TaskDecorator() {

				@Override
				public <T extends @Nullable Object> Callable<T> decorate(Callable<T> task) {
					return () -> {
						Threads.this.byExecutor.computeIfAbsent(name, (absent) -> new ConcurrentLinkedQueue<>())
							.add(Thread.currentThread());
						return task.call();
					};
				}

			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ StompBroker.class, Threads.class, Typed.class, Echo.class })
	static class Application implements WebSocketConfigurer {

		@Override
		public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
			registry.addHandler(new Raw(), "/raw");
		}

	}

	static class Raw extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String text(String message) {
			return message;
		}

	}

	@Controller
	static class Echo {

		@MessageMapping("/echo")
		@SendToUser("/queue/echo")
		String echo(String message) {
			return message;
		}

	}

}
