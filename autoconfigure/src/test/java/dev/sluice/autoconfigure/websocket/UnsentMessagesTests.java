package dev.sluice.autoconfigure.websocket;

import java.util.Map;
import java.util.Objects;

import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.SessionQuery;
import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.StringUtils;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Mistakes in typed sessions that only an ignored future would show. */
@Tag("sockets")
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class UnsentMessagesTests {

	private static final String FAILED = "\"type\":\"error\",\"reason\":\"failed\"";

	@LocalServerPort
	private int port;

	@Test
	void anAnswerThatCannotBeNumberedIsAFailureOfItsMethod(CapturedOutput output) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/resumable")) {
			client.send("{\"type\":\"resume\"}");
			client.next();
			client.send("{\"type\":\"numbered\"}");
			assertThat(client.next()).contains(FAILED);
			client.send("{\"type\":\"bytes\"}");
			assertThat(client.next()).contains(FAILED);
			client.send("{\"type\":\"large\"}");
			await().untilAsserted(() -> assertThat(output).contains("State of Resumable", "4096"));
		}
		assertThat(output).contains("error property 'seq'", "error Only text and JSON");
	}

	@Test
	void aMessageOrStateThatFailsItsFutureIsLoggedOnce(CapturedOutput output) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/plain")) {
			for (int i = 0; i < 2; i++) {
				client.send("{\"type\":\"unwritable\"}");
				client.send("{\"type\":\"unpublishable\"}");
				client.send("{\"type\":\"state\"}");
				assertThat(client.next(3)).containsExactly("done", "done", "done");
			}
		}
		for (String problem : new String[] { "Message of " + Unwritable.class, "Message of " + Unpublishable.class,
				"State of Plain" }) {
			assertThat(StringUtils.countOccurrencesOf(output.getAll(), problem)).as(problem).isOne();
		}
	}

	@ParameterizedTest
	@CsvSource({ "send,message", "post,message", "sendToAll,message", "publish,message", "postToTopic,message",
			"sendToCluster,message", "close,status", "closeOther,status", "closeAll,status", "closeReserved,1005",
			"closeOtherReserved,1006", "closeClusterReserved,1015" })
	void aMessageOrStatusThatIsNoneIsRejectedByItsName(String call, String name) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/plain")) {
			client.send("{\"type\":\"call\",\"what\":\"" + call + "\"}");
			assertThat(client.next()).startsWith("IllegalArgumentException").contains(name);
			assertThat(client.isClosed()).isFalse();
		}
	}

	@Test
	void aClassThatCannotBeCreatedIsNoFaultOfTheClient(CapturedOutput output) throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/plain")) {
			client.send("{\"type\":\"holder\",\"inner\":{}}");
			assertThat(client.next()).contains(FAILED);
		}
		assertThat(output).contains("InvalidDefinitionException", Inner.class.getName());
	}

	@Test
	void theClientIsToldWhatIsAllowed() throws InterruptedException {
		try (SocketClient client = new SocketClient(this.port, "/plain")) {
			client.send("{\"type\":\"trade\",\"side\":\"HOLD\"}");
			assertThat(client.next()).contains("unreadable", "'side'", "BUY, SELL");
		}
		try (SocketClient client = new SocketClient(this.port, "/binary")) {
			client.send("text");
			assertThat(client.next()).contains("unknown-type", "No handler for text messages");
		}
	}

	@WebSocketEndpoint(path = "/resumable", resumable = true)
	static class Resumable extends ManagedSession {

		@OnMessage("numbered")
		Map<String, Integer> numbered() {
			return Map.of("seq", 1);
		}

		@OnMessage("bytes")
		Object bytes() {
			return new byte[1];
		}

		@OnMessage("large")
		void large() {
			saveState("x".repeat(5000));
		}

		@Override
		protected void onError(Throwable error) {
			System.out.println("error " + Objects.toString(error.getMessage())
				.replace("A message to a session that " + "resumes must have no ", ""));
		}

	}

	@WebSocketEndpoint(path = "/plain")
	static class Plain extends ManagedSession {

		private final WebSocketSessionManager sessions;

		private final SessionCluster cluster;

		Plain(WebSocketSessionManager sessions, SessionCluster cluster) {
			this.sessions = sessions;
			this.cluster = cluster;
		}

		@OnMessage("unwritable")
		String unwritable() {
			post(new Unwritable());
			return "done";
		}

		@OnMessage("unpublishable")
		String unpublishable() {
			this.cluster.topic("topic").publish(new Unpublishable(1));
			return "done";
		}

		@OnMessage("state")
		String state() {
			saveState("state");
			return "done";
		}

		@OnMessage
		String call(Call call) {
			try {
				switch (call.what()) {
					case "send" -> send(null);
					case "post" -> post(null);
					case "sendToAll" -> this.sessions.sendToAll(null);
					case "publish" -> this.cluster.topic("topic").publish(null);
					case "postToTopic" -> this.cluster.topic("topic").post(null);
					case "sendToCluster" -> this.cluster.send(SessionQuery.all(), null);
					case "close" -> close(null);
					case "closeOther" -> this.sessions.close(id(), null);
					case "closeAll" -> this.sessions.closeAll(null);
					case "closeReserved" -> close(new CloseStatus(1005));
					case "closeOtherReserved" -> this.sessions.close(id(), new CloseStatus(1006));
					default -> this.cluster.close(SessionQuery.all(), new CloseStatus(1015));
				}
				return "nothing";
			}
			catch (RuntimeException ex) {
				return ex.getClass().getSimpleName() + " " + ex.getMessage();
			}
		}

		@OnMessage
		void holder(Holder holder) {
		}

		@OnMessage
		void trade(Trade trade) {
		}

	}

	@WebSocketEndpoint(path = "/binary")
	static class Binary extends ManagedSession {

		@OnMessage
		void bytes(byte[] bytes) {
		}

	}

	record Call(String what) {
	}

	record Holder(Inner inner) {
	}

	interface Inner {

	}

	enum Side {

		BUY, SELL

	}

	record Trade(Side side) {
	}

	record Unpublishable(int topic) {
	}

	static class Unwritable {

		public String getValue() {
			throw new IllegalStateException("expected");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Resumable.class, Plain.class, Binary.class })
	static class Application {

	}

}
