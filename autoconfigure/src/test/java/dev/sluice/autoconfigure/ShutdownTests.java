package dev.sluice.autoconfigure;

import java.io.IOException;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import dev.sluice.execution.ExecutorSnapshot;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Real stops of an application with real sockets. */
class ShutdownTests {

	private ConfigurableApplicationContext context;

	private GatedHandler handler;

	@AfterEach
	void close() {
		this.handler.permits.release(1_000);
		this.context.close();
	}

	@Test
	void whatWasQueuedIsHandledAndThenEveryClientSeesGoingAway() throws InterruptedException {
		start("20s");
		List<SocketClient> clients = IntStream.range(0, 10).mapToObj((i) -> connect()).toList();
		clients.forEach((client) -> IntStream.range(0, 5).forEach((i) -> client.send("message " + i)));
		await().untilAsserted(() -> assertThat(this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(10))
			.returns(10 * 4L, ExecutorSnapshot::waitingNormal));
		CompletableFuture<Void> stop = stop();
		await().until(this::refusesHandshakes);
		clients.forEach((client) -> client.send("late"));
		this.handler.permits.release(1_000);
		for (SocketClient client : clients) {
			assertThat(client.next(5)).containsExactly("message 0", "message 1", "message 2", "message 3", "message 4");
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		}
		stop.join();
	}

	@Test
	void aHandlerThatHangsDelaysNobodyElse() {
		start("4s");
		SocketClient hanging = connect();
		hanging.send("message");
		SocketClient other = connect();
		await().until(this.handler.permits::hasQueuedThreads);
		CompletableFuture<Void> stop = stop();
		assertThat(other.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		assertThat(stop).isNotDone();
		assertThat(hanging.isClosed()).isFalse();
		assertThat(hanging.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	@Test
	void whenASessionsQueueIsPausedThenStoppingResumesIt() throws InterruptedException {
		start("20s");
		this.handler.permits.release(1_000);
		SocketClient client = connect();
		client.send("first");
		assertThat(client.next()).isEqualTo("first");
		SequentialLeveledTaskExecutor inbound = this.context.getBean(SequentialLeveledTaskExecutor.class);
		inbound.queue(this.handler.lastSessionId).pause();
		client.send("second");
		await().until(() -> waiting() == 1);
		CompletableFuture<Void> stop = stop();
		assertThat(client.next()).isEqualTo("second");
		assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	@Test
	void inTheMiddleOfTrafficClientsOfAllKindsSeeGoingAwayAlthoughAHandlerHangs() throws InterruptedException {
		start("20s");
		SocketClient hanging = connect();
		hanging.send("message");
		await().until(this.handler.permits::hasQueuedThreads);
		List<SocketClient> typed = connectAll("/typed");
		List<SocketClient> raw = connectAll("/raw");
		List<SocketClient> stomp = connectAll("/stomp");
		stomp.forEach((client) -> client.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0"));
		for (SocketClient client : stomp) {
			assertThat(client.next()).startsWith("CONNECTED");
		}
		List<SocketClient> plain = new ArrayList<>(typed);
		plain.addAll(raw);
		plain.forEach((client) -> IntStream.range(0, 50).forEach((i) -> client.send("message " + i)));
		stomp.forEach((client) -> IntStream.range(0, 50)
			.forEach((i) -> client.send("SEND\ndestination:/topic/nobody\n\nmessage\0")));
		for (SocketClient client : plain) {
			assertThat(client.next()).isEqualTo("message 0");
		}
		CompletableFuture<Void> stop = stop();
		plain.addAll(stomp);
		for (SocketClient client : plain) {
			assertThat(client.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		}
		assertThat(stop).isNotDone();
		this.handler.permits.release(1);
		assertThat(hanging.closeCode()).isEqualTo(CloseStatus.GOING_AWAY.getCode());
		stop.join();
	}

	private List<SocketClient> connectAll(String path) {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		return IntStream.range(0, 5).mapToObj((i) -> new SocketClient(port, path)).toList();
	}

	private void start(String timeout) {
		this.context = new SpringApplicationBuilder(Application.class).run("--server.port=0",
				"--sluice.websocket.shutdown-timeout=" + timeout);
		this.handler = this.context.getBean(GatedHandler.class);
	}

	private CompletableFuture<Void> stop() {
		return CompletableFuture.runAsync(this.context::close, (task) -> new Thread(task).start());
	}

	private SocketClient connect() {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		return new SocketClient(port, "/gated");
	}

	private long waiting() {
		return this.context.getBean(SequentialLeveledTaskExecutor.class).snapshot(0).waitingNormal();
	}

	private boolean refusesHandshakes() {
		try {
			connect().close();
			return false;
		}
		catch (CompletionException ex) {
			assertThat(ex).cause()
				.isInstanceOfSatisfying(WebSocketHandshakeException.class,
						(refused) -> assertThat(refused.getResponse().statusCode()).isEqualTo(503));
			return true;
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@EnableWebSocketMessageBroker
	@Import(Typed.class)
	static class Application implements WebSocketMessageBrokerConfigurer {

		@Override
		public void registerStompEndpoints(StompEndpointRegistry registry) {
			registry.addEndpoint("/stomp");
		}

		@Override
		public void configureMessageBroker(MessageBrokerRegistry registry) {
			registry.enableSimpleBroker("/topic");
		}

		@Bean
		GatedHandler handler() {
			return new GatedHandler();
		}

		@Bean
		WebSocketConfigurer handlers(GatedHandler handler) {
			return (registry) -> registry.addHandler(handler, "/gated").addHandler(new RawEcho(), "/raw");
		}

	}

	/** Sends each message back. */
	static class RawEcho extends TextWebSocketHandler {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			session.sendMessage(message);
		}

	}

	/** Sends each message back, too. */
	@WebSocketEndpoint("/typed")
	static class Typed extends ManagedSession {

		@OnMessage
		String echo(String message) {
			return message;
		}

	}

	/** Sends each message back, when there is a permit. */
	static class GatedHandler extends TextWebSocketHandler {

		private final Semaphore permits = new Semaphore(0);

		private volatile String lastSessionId = "";

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message)
				throws IOException, InterruptedException {
			this.lastSessionId = session.getId();
			this.permits.acquire();
			session.sendMessage(message);
		}

	}

}
