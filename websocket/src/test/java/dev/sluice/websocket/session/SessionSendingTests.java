package dev.sluice.websocket.session;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskDroppedException;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.outbound.FragmentedMessage;
import dev.sluice.websocket.outbound.SessionOutbound;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of what a session is given to send. The container sends when the test
 * says.
 */
class SessionSendingTests {

	private static final ByteBuffer PING = ByteBuffer.wrap("sluice".getBytes());

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final WebSocketDispatcher.Builder builder = WebSocketDispatcher
		.builder(SequentialLeveledTaskExecutor.builder(Runnable::run).build(),
				SequentialLeveledTaskExecutor.builder(Runnable::run).build(), this.sending::add)
		.control(this.sending::add);

	private final StubSession client = new StubSession("1");

	private final List<WebSocketSession> opened = new ArrayList<>();

	@Test
	void aPingGoesBeforeAllThatWaits() throws Exception {
		open(this.client);
		post("1");
		post("2");
		outbound().ping();
		send();
		assertThat(this.client.sent).containsExactly("1", PING, "2");
	}

	@Test
	void anUrgentMessageCostsANormalOneItsPlaceEvenIfAnUrgentOneIsOlder() throws Exception {
		this.builder.settings(TestSettings.of(TestSettings
			.limits(new SendLimits(Duration.ofSeconds(10), 4 + 2 * MessageCost.SENT), SendOverflow.DROP_OLDEST)));
		open(this.client);
		post("in flight");
		CompletableFuture<?> oldest = outbound().send(new TextMessage("12"), Level.HIGH);
		CompletableFuture<?> normal = post("34");
		CompletableFuture<?> newest = outbound().send(new TextMessage("56"), Level.HIGH);
		assertThat(normal).isCompletedExceptionally();
		assertThat(normal.handle((sent, reason) -> reason))
			.isCompletedWithValueMatching((reason) -> reason instanceof TaskDroppedException);
		send();
		assertThat(this.client.sent).containsExactly("in flight", "12", "56");
		assertThat(oldest).isCompleted();
		assertThat(newest).isCompleted();
	}

	@Test
	void whereTheOldestIsDroppedAClientThatKeepsUpGetsEverything() throws Exception {
		this.builder.settings(TestSettings
			.of(TestSettings.limits(new SendLimits(Duration.ofSeconds(10), 4), SendOverflow.DROP_OLDEST)));
		open(this.client);
		for (int i = 0; i < 5; i++) {
			CompletableFuture<?> sent = post("message " + i);
			send();
			assertThat(sent).isCompleted();
		}
		assertThat(this.client.sent).hasSize(5);
	}

	@Test
	void aBufferIsItsOwnersAgainAsSoonAsItsMessageIsQueued() throws Exception {
		open(this.client);
		post("in flight");
		ByteBuffer buffer = ByteBuffer.wrap(new byte[] { 1 });
		this.opened.get(0).sendMessage(new BinaryMessage(buffer));
		buffer.put(0, (byte) 2);
		send();
		assertThat(this.client.sent).containsExactly("in flight", ByteBuffer.wrap(new byte[] { 1 }));
	}

	@Test
	void partsOfABinaryMessageStayTogether() throws Exception {
		open(this.client);
		ByteBuffer first = ByteBuffer.wrap(new byte[] { 1 });
		ByteBuffer last = ByteBuffer.wrap(new byte[] { 2 });
		this.opened.get(0).sendMessage(new BinaryMessage(first, false));
		outbound().send(new TextMessage("urgent"), Level.HIGH);
		this.opened.get(0).sendMessage(new BinaryMessage(last, true));
		send();
		assertThat(this.client.sent).containsExactly(first, last, "urgent");
	}

	@Test
	void aPartThatComesWhenItsMessageHasEndedFails() {
		FragmentedMessage message = new FragmentedMessage();
		message.fail(new IllegalStateException("expected"));
		CompletableFuture<?> late = message.add(() -> CompletableFuture.completedFuture(null), true);
		assertThat(late).isCompletedExceptionally();
	}

	@Test
	void whatSpeaksASubProtocolGetsNoBroadcast() throws Exception {
		StubSession speaking = new StubSession("2") {

			@Override
			public @Nullable String getAcceptedProtocol() {
				return "v12.stomp";
			}

		};
		WebSocketSessionManager sessions = open(this.client, speaking).sessions();
		CompletableFuture<Integer> sent = sessions.postToAll("news");
		send();
		assertThat(this.client.sent).containsExactly("news");
		assertThat(speaking.sent).isEmpty();
		assertThat(sent).isCompletedWithValue(1);
	}

	private WebSocketDispatcher open(WebSocketSession... clients) throws Exception {
		WebSocketDispatcher dispatcher = this.builder.build();
		WebSocketHandler handler = dispatcher.decorate(new AbstractWebSocketHandler() {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) {
				SessionSendingTests.this.opened.add(session);
			}

		});
		for (WebSocketSession session : clients) {
			handler.afterConnectionEstablished(session);
		}
		return dispatcher;
	}

	private SessionOutbound outbound() {
		return ((OrderedWebSocketSession) this.opened.get(0)).outbound();
	}

	private CompletableFuture<?> post(String text) {
		return outbound().send(new TextMessage(text), Level.NORMAL);
	}

	/** The container sends all that it has, and what follows from that. */
	private void send() {
		for (Runnable next = this.sending.poll(); next != null; next = this.sending.poll()) {
			next.run();
		}
	}

}
