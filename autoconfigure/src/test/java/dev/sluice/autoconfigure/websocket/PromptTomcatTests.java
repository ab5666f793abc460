package dev.sluice.autoconfigure.websocket;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.container.PromptHttp11NioProtocol;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.config.annotation.EnableWebSocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Who tells of the end of a message, on the connector that the web server gets. */
class PromptTomcatTests {

	private static final int MESSAGES = 20;

	private static final int MANY = 1_000;

	@Test
	void aMessageThatGoesOutAtOnceIsToldSentToItsSenderAtOnce() throws InterruptedException {
		try (ConfigurableApplicationContext context = start(Application.class);
				SocketClient client = new SocketClient(port(context), "/typed")) {
			WebSocketSessionManager sessions = context.getBean(WebSocketSessionManager.class);
			await().until(() -> sessions.find(Typed.class, (any) -> true).size() == 1);
			ManagedSession session = sessions.find(Typed.class, (any) -> true).iterator().next();
			List<CompletableFuture<?>> sent = Stream.generate(() -> session.post("hello"))
				.limit(MESSAGES)
				.<CompletableFuture<?>>map((future) -> future)
				.toList();
			assertThat(sent).allMatch((future) -> future.isDone() && !future.isCompletedExceptionally());
			for (int i = 0; i < MESSAGES; i++) {
				assertThat(client.next()).isEqualTo("hello");
			}
		}
	}

	@Test
	void manyMessagesAreSentAndToldSentInOrder() throws InterruptedException {
		try (ConfigurableApplicationContext context = start(Application.class);
				SocketClient client = new SocketClient(port(context), "/typed")) {
			WebSocketSessionManager sessions = context.getBean(WebSocketSessionManager.class);
			await().until(() -> sessions.find(Typed.class, (any) -> true).size() == 1);
			ManagedSession session = sessions.find(Typed.class, (any) -> true).iterator().next();
			Queue<Integer> told = new ConcurrentLinkedQueue<>();
			for (int i = 0; i < MANY; i++) {
				int number = i;
				session.post("" + i).thenRun(() -> told.add(number));
			}
			for (int i = 0; i < MANY; i++) {
				assertThat(client.next()).isEqualTo("" + i);
			}
			await().untilAsserted(
					() -> assertThat(told).containsExactlyElementsOf(IntStream.range(0, MANY).boxed().toList()));
		}
	}

	@Test
	void theConnectorKeepsItsOwnPoolAndShowsItToWhoShutsItDown() {
		try (ConfigurableApplicationContext context = start(Application.class, "--server.tomcat.threads.max=7")) {
			AbstractProtocol<?> protocol = (AbstractProtocol<?>) Tomcat.protocol(context);
			assertThat(protocol).isInstanceOf(PromptHttp11NioProtocol.class);
			assertThat(protocol.getMaxThreads()).isEqualTo(7);
			assertThat(protocol.getExecutor()).isInstanceOf(ThreadPoolExecutor.class);
		}
	}

	@Test
	void sessionsAreNotListedAmongConnectionsWhoseTimeIsWatched() throws InterruptedException {
		try (ConfigurableApplicationContext context = start(Application.class);
				SocketClient client = new SocketClient(port(context), "/typed")) {
			WebSocketSessionManager sessions = context.getBean(WebSocketSessionManager.class);
			await().until(() -> sessions.find(Typed.class, (any) -> true).size() == 1);
			client.send("unknown");
			assertThat(client.next()).contains("unreadable");
			await().until(() -> ((AbstractProtocol<?>) Tomcat.protocol(context)).getWaitingProcessorCount() == 0);
		}
	}

	@Test
	void theConnectorStaysThatOfTheApplicationIfAskedFor() {
		try (ConfigurableApplicationContext context = start(Application.class,
				"--sluice.websocket.outbound.report-on-sending-thread=false")) {
			assertThat(Tomcat.protocol(context)).isExactlyInstanceOf(Http11NioProtocol.class);
		}
	}

	@Test
	void aProtocolThatTheApplicationHasChosenIsLeftAlone() throws InterruptedException {
		try (ConfigurableApplicationContext context = start(OtherProtocol.class);
				SocketClient client = new SocketClient(port(context), "/typed")) {
			assertThat(Tomcat.protocol(context)).isExactlyInstanceOf(Http11Nio2Protocol.class);
			WebSocketSessionManager sessions = context.getBean(WebSocketSessionManager.class);
			await().until(() -> sessions.find(Typed.class, (any) -> true).size() == 1);
			sessions.postToAll("hello").join();
			assertThat(client.next()).isEqualTo("hello");
		}
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... arguments) {
		return new SpringApplicationBuilder(application).properties("server.port=0").run(arguments);
	}

	private static int port(ConfigurableApplicationContext context) {
		return ((WebServerApplicationContext) context).getWebServer().getPort();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import(Typed.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Application.class)
	static class OtherProtocol {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> protocol() {
			return (factory) -> factory.setProtocol(Http11Nio2Protocol.class.getName());
		}

	}

	@WebSocketEndpoint(path = "/typed")
	static class Typed extends ManagedSession {

	}

	/** Apart, since the class of the tests is looked at where there is no Tomcat. */
	private static final class Tomcat {

		private static ProtocolHandler protocol(ConfigurableApplicationContext context) {
			TomcatWebServer server = (TomcatWebServer) ((WebServerApplicationContext) context).getWebServer();
			return server.getTomcat().getConnector().getProtocolHandler();
		}

	}

}
