package dev.sluice.autoconfigure.websocket;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.test.socket.SocketClient;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportResource;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import org.springframework.web.socket.server.support.WebSocketHttpRequestHandler;
import org.springframework.web.socket.sockjs.SockJsService;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;
import org.springframework.web.socket.sockjs.transport.handler.DefaultSockJsService;

import static org.assertj.core.api.Assertions.assertThat;

/** All the ways in which an application has a handler mapped, on real sockets. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "sluice.websocket.handlers.exclude-paths=/excluded,/excluded-sockjs")
class HandlerMappingsTests {

	/** The sessions that handlers get whose messages are handled in order. */
	private static final String ORDERED = "OrderedWebSocketSession";

	@LocalServerPort
	private int port;

	@Autowired
	private ApplicationContext context;

	@ParameterizedTest
	@ValueSource(strings = { "/configurer", "/simple", "/by-name", "/bean", "/factory/deep", "/upgrade", "/xml",
			"/xml-sockjs/websocket", "/xml-sockjs-other/websocket" })
	void itsMessagesAreHandledInTheTurnOfTheirSession(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("message");
			assertThat(client.next()).isEqualTo(ORDERED);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/excluded", "/excluded-sockjs/websocket", "/subclass", "/sockjs-subclass/websocket" })
	void itIsLeftAlone(String path) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, path)) {
			client.send("message");
			assertThat(client.next()).isNotEqualTo(ORDERED);
		}
	}

	@Test
	void aClientOfTheApplicationIsLeftAlone() throws Exception {
		CompletableFuture<String> type = new CompletableFuture<>();
		WebSocketHandler client = new TextWebSocketHandler() {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) throws IOException {
				session.sendMessage(new TextMessage("message"));
			}

			@Override
			protected void handleTextMessage(WebSocketSession session, TextMessage message) {
				type.complete(session.getClass().getSimpleName());
			}

		};
		WebSocketSession session = new StandardWebSocketClient()
			.execute(client, "ws://localhost:" + this.port + "/configurer")
			.join();
		assertThat(type).succeedsWithin(SocketClient.PATIENCE).isNotEqualTo(ORDERED);
		session.close();
	}

	@Test
	void whatMappingsHoldIsLeftAsItIs() {
		assertThat(this.context.getBean("simple", SimpleUrlHandlerMapping.class).getHandlerMap())
			.containsEntry("/bean-by-name", this.context.getBean("/bean"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@ImportResource("dev/sluice/autoconfigure/websocket-handlers.xml")
	static class Application {

		@Bean
		WebSocketConfigurer configurer() {
			return (registry) -> {
				registry.addHandler(new ThreadHandler(), "/configurer", "/excluded");
				registry.addHandler(new ThreadHandler(), "/excluded-sockjs").withSockJS();
			};
		}

		@Bean
		SimpleUrlHandlerMapping simple() {
			return new SimpleUrlHandlerMapping(Map.of("/simple", new WebSocketHttpRequestHandler(new ThreadHandler()),
					"/by-name", "/bean", "/bean-by-name", "/bean", "/subclass", new SelfServing(new ThreadHandler()),
					"/sockjs-subclass/**", new SelfServingSockJs(
							new DefaultSockJsService(new SimpleAsyncTaskScheduler()), new ThreadHandler())),
					1);
		}

		@Bean("/bean")
		WebSocketHttpRequestHandler bean() {
			return new WebSocketHttpRequestHandler(new ThreadHandler());
		}

		/** As Spring Integration does. */
		@Bean
		FactoryBean<HandlerMapping> factory(ApplicationContext context) {
			return new MappingFactory(context);
		}

		/** As Spring for GraphQL does. */
		@Bean
		WebSocketHandlerMapping upgrade() {
			WebSocketHandlerMapping mapping = new WebSocketHandlerMapping();
			mapping.setWebSocketUpgradeMatch(true);
			mapping.setUrlMap(Map.of("/upgrade", new WebSocketHttpRequestHandler(new ThreadHandler())));
			mapping.setOrder(-2);
			return mapping;
		}

	}

	static class MappingFactory implements FactoryBean<HandlerMapping> {

		private final HandlerMapping mapping;

		MappingFactory(ApplicationContext context) {
			WebSocketHandlerMapping made = new WebSocketHandlerMapping();
			made.setUrlMap(Map.of("/factory/*", new WebSocketHttpRequestHandler(new ThreadHandler())));
			made.setOrder(1);
			made.setApplicationContext(context);
			this.mapping = made;
		}

		@Override
		public HandlerMapping getObject() {
			return this.mapping;
		}

		@Override
		public Class<?> getObjectType() {
			return HandlerMapping.class;
		}

	}

	/** Handles requests in a way of its own. */
	static class SelfServing extends WebSocketHttpRequestHandler {

		SelfServing(ThreadHandler handler) {
			super(handler);
		}

		@Override
		public void handleRequest(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			super.handleRequest(request, response);
		}

	}

	static class SelfServingSockJs extends SockJsHttpRequestHandler {

		SelfServingSockJs(SockJsService service, ThreadHandler handler) {
			super(service, handler);
		}

		@Override
		public void handleRequest(HttpServletRequest request, HttpServletResponse response)
				throws ServletException, IOException {
			super.handleRequest(request, response);
		}

	}

	public static class ThreadHandler extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(new TextMessage(session.getClass().getSimpleName()));
		}

	}

}
