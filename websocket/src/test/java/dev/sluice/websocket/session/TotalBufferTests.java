package dev.sluice.websocket.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.CloseStatuses;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SendOverflow;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.TestSettings;
import dev.sluice.websocket.settings.TotalLimits;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** What may wait in all sessions together. The container sends when the test says. */
class TotalBufferTests {

	private static final CloseStatus OVERLOADED = CloseStatus.SERVICE_OVERLOAD
		.withReason("Too many messages are waiting");

	/** With its objects, a message of a client that costs a thousand bytes. */
	private static final String RECEIVED = "x".repeat(1_000 - MessageCost.RECEIVED);

	/** With its objects, a message to a client that costs a thousand bytes. */
	private static final String SENT = "x".repeat(1_000 - MessageCost.SENT);

	private final Queue<Runnable> sending = new ArrayDeque<>();

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, this.sending::add)
		.settings(TestSettings.of(
				TestSettings.limits(new InboundLimits(1_000, 0, 1_000_000, false), SendOverflow.CATCH_UP),
				new TotalLimits(5_000, 5_000)))
		.control(this.sending::add)
		.build();

	private final List<String> handled = new ArrayList<>();

	private final WebSocketHandler handler = this.dispatcher.decorate(new TextWebSocketHandler() {

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) {
			TotalBufferTests.this.handled.add(session.getId());
		}

	});

	@Test
	void whereTooMuchWaitsToBeHandledTheSessionWithMostOfItIsCutOff() throws Exception {
		StubSession greedy = open("greedy");
		StubSession modest = open("modest");
		CompletableFuture<?> busy = hold("greedy");
		CompletableFuture<?> alsoBusy = hold("modest");
		receive(greedy, 3);
		receive(modest, 2);
		assertThat(greedy.isOpen()).isTrue();
		receive(modest, 1);
		receive(greedy, 1);
		run();
		assertThat(greedy.sent.contains(OVERLOADED) || modest.sent.contains(OVERLOADED)).isTrue();
		StubSession left = greedy.isOpen() ? greedy : modest;
		busy.complete(null);
		alsoBusy.complete(null);
		assertThat(this.handled).hasSizeBetween(3, 4).containsOnly(left.getId());
		receive(left, 5);
		assertThat(left.isOpen()).isTrue();
	}

	@Test
	void whatClientsThatHaveLeftLetWaitIsCountedAndGivesWay() throws Exception {
		StubSession gone = open("gone");
		CompletableFuture<?> busy = hold("gone");
		receive(gone, 4);
		this.handler.afterConnectionClosed(gone, CloseStatus.NO_CLOSE_FRAME);
		StubSession next = open("next");
		CompletableFuture<?> alsoBusy = hold("next");
		receive(next, 2);
		assertThat(next.isOpen()).isTrue();
		busy.complete(null);
		alsoBusy.complete(null);
		assertThat(this.handled).containsExactly("next", "next");
	}

	@Test
	void aMessageOfWhichPartsAreMissingIsCounted() throws Exception {
		StubSession greedy = open("greedy");
		this.handler.handleMessage(greedy, new TextMessage("x".repeat(4_500), false));
		StubSession modest = open("modest");
		CompletableFuture<?> busy = hold("modest");
		receive(modest, 1);
		run();
		assertThat(greedy.isOpen()).isFalse();
		busy.complete(null);
		assertThat(this.handled).containsExactly("modest");
	}

	@Test
	void whereTooMuchWaitsToBeSentTheSessionWithMostOfItIsCutOff() throws Exception {
		StubSession slow = open("slow");
		StubSession slower = open("slower");
		ManagedSession slowSession = this.dispatcher.sessions().get("slow").orElseThrow();
		ManagedSession slowerSession = this.dispatcher.sessions().get("slower").orElseThrow();
		slowSession.post(SENT);
		slowSession.post(SENT);
		for (int i = 0; i < 3; i++) {
			slowerSession.post(SENT);
		}
		assertThat(slowerSession.isOpen()).isTrue();
		CompletableFuture<?> last = slowSession.post(SENT);
		assertThat(slowSession.isOpen() ^ slowerSession.isOpen()).isTrue();
		run();
		assertThat(
				slow.sent.contains(CloseStatuses.TOO_MUCH_UNSENT) ^ slower.sent.contains(CloseStatuses.TOO_MUCH_UNSENT))
			.isTrue();
		assertThat(last.isCompletedExceptionally()).isEqualTo(!slow.isOpen());
	}

	@Test
	void thePayloadOfAMessageForManyCountsOnce() throws Exception {
		for (int i = 0; i < 10; i++) {
			open("session " + i);
		}
		CompletableFuture<Integer> sent = this.dispatcher.sessions().postToAll("x".repeat(2_000));
		run();
		assertThat(sent).isCompletedWithValue(10);
		this.dispatcher.sessions().postToAll("x".repeat(2_000));
		run();
		assertThat(this.dispatcher.sessions().find(ManagedSession.class, ManagedSession::isOpen)).hasSize(10);
	}

	/** Its reading never stops. */
	private StubSession open(String id) throws Exception {
		StubSession session = new StubSession(id);
		this.handler.afterConnectionEstablished(session);
		OrderedWebSocketSession opened = this.dispatcher.context().sessions().find(session);
		assertThat(opened).isNotNull();
		opened.pressure().release();
		return session;
	}

	/** Lets nothing of a session be handled for now. */
	private CompletableFuture<?> hold(String id) {
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage(id, Level.HIGH, () -> busy);
		return busy;
	}

	private void receive(StubSession session, int messages) throws Exception {
		for (int i = 0; i < messages; i++) {
			this.handler.handleMessage(session, new TextMessage(RECEIVED));
		}
	}

	/** The container sends all that it has, and what follows from that. */
	private void run() {
		for (Runnable next = this.sending.poll(); next != null; next = this.sending.poll()) {
			next.run();
		}
	}

}
