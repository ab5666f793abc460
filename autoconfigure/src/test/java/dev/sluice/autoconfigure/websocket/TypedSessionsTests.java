package dev.sluice.autoconfigure.websocket;

import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import jakarta.annotation.PreDestroy;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Typed sessions on real sockets. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class TypedSessionsTests {

	@LocalServerPort
	private int port;

	@Autowired
	private WebSocketSessionManager sessions;

	@Autowired
	private Journal journal;

	@Test
	void eachConnectionHasItsOwnObjectAndReadsItsRepliesInOrder() throws InterruptedException {
		List<SocketClient> clients = IntStream.range(0, 20).mapToObj((i) -> connect("/bank")).toList();
		for (SocketClient client : clients) {
			client.send("{\"type\":\"withdraw\",\"amount\":50}");
			client.send("{\"type\":\"deposit\",\"amount\":100}");
			client.send("{\"type\":\"withdraw\",\"amount\":150}");
		}
		for (SocketClient client : clients) {
			assertThat(client.next(3)).containsExactly(receipt(50), receipt(150), receipt(0));
			client.close();
		}
	}

	@Test
	void messagesThatCannotBeHandledAreAnsweredInOrderAndTheConnectionLivesOn() throws InterruptedException {
		try (SocketClient client = connect("/bank")) {
			client.send("{\"type\":\"depositt\"}");
			client.send("[]");
			client.send("{");
			client.send("{\"type\":\"deposit\",\"amount\":{}}");
			client.send("{\"type\":\"fail\"}");
			client.sendBinary(new byte[1]);
			client.send("{\"type\":\"deposit\",\"amount\":1}");
			assertThat(client.next(7)).containsExactly(
					error("unknown-type", "No handler for type 'depositt'; known: deposit, fail, slow, withdraw"),
					error("unknown-type",
							"No handler for messages without a type; known: deposit, fail, slow, withdraw"),
					error("unreadable", "Message is not valid JSON"),
					error("unreadable", "Message does not have the form of its type at 'amount'"),
					"{\"type\":\"error\",\"reason\":\"failed\"}",
					error("unknown-type", "No handler for binary messages"), receipt(101));
		}
		assertThat(this.journal.entries).contains("error expected");
	}

	@Test
	void aStageHoldsTheSessionsTurnAndItsResultIsPosted() throws InterruptedException {
		try (SocketClient client = connect("/bank")) {
			client.send("{\"type\":\"slow\"}");
			client.send("{\"type\":\"deposit\",\"amount\":1}");
			await().until(() -> this.journal.slow != null);
			this.journal.slow.complete(new Receipt(-1));
			assertThat(client.next(2)).containsExactly(receipt(-1), receipt(101));
		}
	}

	@Test
	void textAndBinaryMessagesArriveAsTheyAreAndPathsHaveVariables() throws InterruptedException {
		try (SocketClient client = connect("/echo/mainz?greeting=hello+you&greeting=%C3%BC&bare")) {
			assertThat(client.next()).isEqualTo("mainz {greeting=[hello you, ü], bare=[]}");
			client.send("{plain text");
			client.sendBinary(new byte[] { 1, 2, 3 });
			assertThat(client.next(2)).containsExactly("{plain text", "3 bytes");
		}
	}

	@Test
	void theManagerFindsSessionsOfEveryKindAndBroadcasts() throws InterruptedException {
		try (SocketClient typed = connect("/echo/a"); SocketClient raw = connect("/raw")) {
			typed.next();
			await().until(() -> this.sessions.countByType().equals(Map.of("EchoSession", 1, "handler", 1)));
			assertThat(this.sessions.count()).isEqualTo(2);
			EchoSession found = this.sessions.find(EchoSession.class, ManagedSession::isOpen).get(0);
			assertThat(this.sessions.get(found.id())).containsSame(found);
			assertThat(this.sessions.postToAll(Map.of("to", "all"))).succeedsWithin(SocketClient.PATIENCE).isEqualTo(2);
			assertThat(this.sessions.sendToAll(EchoSession.class, (session) -> false, "none"))
				.succeedsWithin(SocketClient.PATIENCE)
				.isEqualTo(0);
			assertThat(typed.next()).isEqualTo("{\"to\":\"all\"}");
			assertThat(raw.next()).isEqualTo("{\"to\":\"all\"}");
			assertThat(this.sessions.closeAll(CloseStatus.SERVICE_RESTARTED)).succeedsWithin(SocketClient.PATIENCE);
			assertThat(typed.closeCode()).isEqualTo(CloseStatus.SERVICE_RESTARTED.getCode());
			assertThat(raw.closeCode()).isEqualTo(CloseStatus.SERVICE_RESTARTED.getCode());
		}
	}

	@Test
	void aSessionMayBeAdvisedAndIsDestroyedWhenItHasEnded() {
		await().until(() -> this.sessions.count() == 0);
		SocketClient client = connect("/echo/b");
		await().until(() -> this.sessions.countByType().equals(Map.of("EchoSession", 1)));
		EchoSession session = this.sessions.find(EchoSession.class, (any) -> true).get(0);
		String id = session.id();
		assertThat(session.getClass()).isNotEqualTo(EchoSession.class);
		client.close();
		await().untilAsserted(() -> assertThat(this.journal.entries).containsSubsequence("advised onOpen",
				"advised onClose", "closed " + id, "destroyed " + id));
		assertThat(this.sessions.count()).isZero();
	}

	@Test
	void aBrowserFromAnotherOriginIsRefused() {
		assertThatThrownBy(() -> new SocketClient(this.port, "/bank", "https://elsewhere.example"))
			.isInstanceOf(CompletionException.class)
			.cause()
			.isInstanceOfSatisfying(WebSocketHandshakeException.class,
					(ex) -> assertThat(ex.getResponse().statusCode()).isEqualTo(403));
	}

	private SocketClient connect(String path) {
		return new SocketClient(this.port, path);
	}

	private static String receipt(long balance) {
		return "{\"type\":\"receipt\",\"balance\":" + balance + "}";
	}

	private static String error(String reason, String detail) {
		return "{\"type\":\"error\",\"reason\":\"" + reason + "\",\"detail\":\"" + detail + "\"}";
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableWebSocket
	@Import({ BankSession.class, EchoSession.class })
	static class Application {

		@Bean
		static Journal journal() {
			return new Journal();
		}

		@Bean
		WebSocketConfigurer raw() {
			return (registry) -> registry.addHandler(new TextWebSocketHandler(), "/raw");
		}

		@Bean
		static MethodInterceptor journalling(Journal journal) {
			return (invocation) -> {
				journal.entries.add("advised " + invocation.getMethod().getName());
				return invocation.proceed();
			};
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("*EchoSession");
			creator.setInterceptorNames("journalling");
			creator.setProxyTargetClass(true);
			return creator;
		}

	}

	static class Journal {

		private final List<String> entries = new CopyOnWriteArrayList<>();

		private volatile CompletableFuture<Receipt> slow;

	}

	sealed interface Command permits Deposit, Withdraw {

	}

	record Deposit(long amount) implements Command {
	}

	record Withdraw(long amount) implements Command {
	}

	sealed interface Reply permits Receipt {

	}

	record Receipt(long balance) implements Reply {
	}

	/** Keeps an account of its own, without any protection. */
	@WebSocketEndpoint(path = "/bank")
	static class BankSession extends ManagedSession {

		private final Journal journal;

		private long balance = 100;

		BankSession(Journal journal) {
			this.journal = journal;
		}

		@OnMessage
		Receipt handle(Command command) {
			this.balance += (command instanceof Deposit deposit) ? deposit.amount() : -((Withdraw) command).amount();
			return new Receipt(this.balance);
		}

		@OnMessage("slow")
		CompletableFuture<Receipt> slow() {
			CompletableFuture<Receipt> receipt = new CompletableFuture<>();
			this.journal.slow = receipt;
			return receipt;
		}

		@OnMessage("fail")
		void fail() {
			throw new IllegalStateException("expected");
		}

		@Override
		protected void onError(Throwable error) {
			this.journal.entries.add("error " + error.getMessage());
		}

	}

	/** Sends back what it is sent. */
	@WebSocketEndpoint("/echo/{branch}")
	static class EchoSession extends ManagedSession {

		private final Journal journal;

		EchoSession(Journal journal) {
			this.journal = journal;
		}

		@Override
		protected void onOpen() {
			post(pathVariables().get("branch") + " " + queryParameters());
		}

		@OnMessage
		String text(String text) {
			return text;
		}

		@OnMessage
		String binary(byte[] bytes) {
			return bytes.length + " bytes";
		}

		@Override
		protected void onClose(CloseStatus status) {
			this.journal.entries.add("closed " + id());
		}

		@PreDestroy
		void destroy() {
			this.journal.entries.add("destroyed " + id());
		}

	}

}
