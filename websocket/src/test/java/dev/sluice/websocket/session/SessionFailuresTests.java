package dev.sluice.websocket.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.OverflowStrategy;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.WebSocketSessionClosedEvent;
import dev.sluice.websocket.WebSocketSessionOpenedEvent;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import jakarta.websocket.Session;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.http.HttpHeaders;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** What becomes of sessions when code of the application, or the container, fails. */
class SessionFailuresTests {

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final List<Object> events = new ArrayList<>();

	private final List<String> callbacks = new ArrayList<>();

	private final StubSession client = new StubSession("1");

	@Test
	void whenOpeningFailsThenTheSessionClosesAndNobodyHearsOfIt() throws Exception {
		WebSocketHandler handler = builder().build().decorate(new Recorder() {

			@Override
			public void afterConnectionEstablished(WebSocketSession session) {
				throw new IllegalStateException("expected");
			}

		});
		handler.afterConnectionEstablished(this.client);
		assertThat(this.client.sent).containsExactly(CloseStatus.SERVER_ERROR);
		handler.handleMessage(this.client, new TextMessage("late"));
		handler.afterConnectionClosed(this.client, CloseStatus.SERVER_ERROR);
		assertThat(this.callbacks).containsExactly("closed");
		assertThat(this.events).isEmpty();
	}

	@Test
	void theEndOfASessionIsToldOnceEvenIfItsHandlerFailsAtIt() throws Exception {
		WebSocketHandler handler = builder().build().decorate(new Recorder() {

			@Override
			public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
				super.afterConnectionClosed(session, status);
				throw new IllegalStateException("expected");
			}

		});
		handler.afterConnectionEstablished(this.client);
		handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		assertThat(this.callbacks).containsExactly("opened", "closed");
		assertThat(this.events).hasExactlyElementsOfTypes(WebSocketSessionOpenedEvent.class,
				WebSocketSessionClosedEvent.class);
		assertThat(this.inbound.snapshot(0).queues()).isZero();
	}

	@Test
	void aListenerThatFailsKeepsNoSessionFromEnding() throws Exception {
		WebSocketDispatcher dispatcher = builder().events((event) -> {
			if (event instanceof WebSocketSessionClosedEvent) {
				throw new AssertionError("expected");
			}
		}).build();
		WebSocketHandler handler = dispatcher.decorate(new Recorder());
		handler.afterConnectionEstablished(this.client);
		CompletableFuture<?> ended = dispatcher.sessions().drainAndCloseAll();
		assertThat(this.client.sent).containsExactly(CloseStatus.NORMAL);
		handler.afterConnectionClosed(this.client, CloseStatus.NORMAL);
		assertThat(ended).isCompleted();
	}

	@Test
	void aListenerThatFailsAtTheOpeningClosesNothing() throws Exception {
		WebSocketHandler handler = builder().events((event) -> {
			throw new IllegalStateException("expected");
		}).build().decorate(new Recorder());
		handler.afterConnectionEstablished(this.client);
		handler.handleMessage(this.client, new TextMessage("message"));
		assertThat(this.client.sent).containsExactly("message");
	}

	@Test
	void aMessageThatIsDroppedForNewerOnesClosesNothing() throws Exception {
		SequentialLeveledTaskExecutor dropping = SequentialLeveledTaskExecutor.builder(Runnable::run)
			.queueCapacity(1)
			.overflow(OverflowStrategy.DROP_OLDEST)
			.build();
		WebSocketHandler handler = WebSocketDispatcher
			.builder(dropping, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
			.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
			.control(Runnable::run)
			.build()
			.decorate(new Recorder());
		handler.afterConnectionEstablished(this.client);
		CompletableFuture<?> busy = new CompletableFuture<>();
		dropping.submitStage("1", Level.NORMAL, () -> busy);
		handler.handleMessage(this.client, new TextMessage("older"));
		handler.handleMessage(this.client, new TextMessage("newer"));
		busy.complete(null);
		assertThat(this.client.sent).containsExactly("newer");
	}

	@Test
	void framesThatBecomeNoMessagesWaitForNothing() throws Exception {
		WebSocketHandler handler = builder()
			.settings(TestSettings.of(TestSettings.limits(new InboundLimits(2, 1, 1024, false))))
			.build()
			.decorate(new Recorder(), "messages", () -> null);
		handler.afterConnectionEstablished(this.client);
		for (int i = 0; i < 5; i++) {
			handler.handleMessage(this.client, new TextMessage("frame"));
		}
		assertThat(this.client.sent).hasSize(5).containsOnly("frame");
	}

	@Test
	void whenTheLevelOfAMessageCannotBeToldThenItsSessionIsClosedBehindItsAnswers() throws Exception {
		List<Runnable> work = new ArrayList<>();
		WebSocketHandler handler = WebSocketDispatcher
			.builder(this.inbound, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), work::add)
			.control(work::add)
			.levels((session, message) -> {
				if (message.getPayload().equals("bad")) {
					throw new IllegalStateException("expected");
				}
				return null;
			})
			.build()
			.decorate(new Recorder());
		handler.afterConnectionEstablished(this.client);
		handler.handleMessage(this.client, new TextMessage("good"));
		handler.handleMessage(this.client, new TextMessage("bad"));
		handler.handleMessage(this.client, new TextMessage("late"));
		while (!work.isEmpty()) {
			work.remove(0).run();
		}
		assertThat(this.client.sent).containsExactly("good", CloseStatus.SERVER_ERROR);
		assertThat(this.callbacks).containsExactly("opened", "good");
	}

	@Test
	void aSessionThatTheContainerHasClosedBeforeItOpenedTakesNoPlace() throws Exception {
		WebSocketHandler handler = builder()
			.settings(TestSettings.of(new QuotaLimits(1, Integer.MAX_VALUE, Integer.MAX_VALUE)))
			.build()
			.decorate(new Recorder());
		Session container = Mockito.mock();
		Mockito.when(container.getId()).thenReturn("0");
		Mockito.when(container.getUserProperties()).thenReturn(new HashMap<>());
		Mockito.when(container.getAsyncRemote()).thenThrow(new IllegalStateException("closed"));
		StandardWebSocketSession closed = new StandardWebSocketSession(new HttpHeaders(), null, null, null);
		closed.initializeNativeSession(container);
		assertThatIllegalStateException().isThrownBy(() -> handler.afterConnectionEstablished(closed));
		handler.afterConnectionEstablished(this.client);
		assertThat(this.callbacks).containsExactly("opened");
	}

	@Test
	void aSecondSessionOfTheSameIdIsClosedAndTakesNeitherAPlaceNorTheFirstOnesEnd() throws Exception {
		WebSocketDispatcher dispatcher = builder()
			.settings(TestSettings.of(new QuotaLimits(2, Integer.MAX_VALUE, Integer.MAX_VALUE)))
			.build();
		WebSocketHandler handler = dispatcher.decorate(new Recorder());
		handler.afterConnectionEstablished(this.client);
		StubSession second = new StubSession("1");
		handler.afterConnectionEstablished(second);
		assertThat(second.sent).singleElement()
			.isEqualTo(CloseStatus.POLICY_VIOLATION.withReason("Session id is in use"));
		handler.handleMessage(second, new TextMessage("not mine"));
		handler.afterConnectionClosed(second, CloseStatus.POLICY_VIOLATION);
		handler.handleMessage(this.client, new TextMessage("mine"));
		handler.afterConnectionEstablished(new StubSession("2"));
		assertThat(this.callbacks).containsExactly("opened", "mine", "opened");
		assertThat(dispatcher.sessions().count()).isEqualTo(2);
	}

	@Test
	void aFilterThatFailsSendsToNobody() throws Exception {
		WebSocketDispatcher dispatcher = builder().build();
		WebSocketHandler handler = dispatcher.decorate(new Recorder());
		StubSession other = new StubSession("2");
		handler.afterConnectionEstablished(this.client);
		handler.afterConnectionEstablished(other);
		List<ManagedSession> filtered = new ArrayList<>();
		assertThatIllegalStateException()
			.isThrownBy(() -> dispatcher.sessions().postToAll(ManagedSession.class, (session) -> {
				filtered.add(session);
				if (filtered.size() > 1) {
					throw new IllegalStateException("expected");
				}
				return true;
			}, "news"));
		assertThat(this.client.sent).isEmpty();
		assertThat(other.sent).isEmpty();
	}

	private WebSocketDispatcher.Builder builder() {
		return WebSocketDispatcher
			.builder(this.inbound, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
			.control(Runnable::run)
			.events(this.events::add);
	}

	private class Recorder extends TextWebSocketHandler {

		@Override
		public void afterConnectionEstablished(WebSocketSession session) throws Exception {
			SessionFailuresTests.this.callbacks.add("opened");
		}

		@Override
		protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
			SessionFailuresTests.this.callbacks.add(message.getPayload());
			session.sendMessage(message);
		}

		@Override
		public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
			SessionFailuresTests.this.callbacks.add("closed");
		}

	}

}
