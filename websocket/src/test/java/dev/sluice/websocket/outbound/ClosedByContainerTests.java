package dev.sluice.websocket.outbound;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import dev.sluice.websocket.SessionClosedException;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import dev.sluice.websocket.settings.TestSettings;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import org.junit.jupiter.api.BeforeEach;
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

/**
 * A container that rejects to send, before it tells that the connection has ended: as
 * Tomcat does between the client's close frame and the callback.
 */
class ClosedByContainerTests {

	private final Session container = Mockito.mock();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final StandardWebSocketSession session = new StandardWebSocketSession(new HttpHeaders(), null, null, null);

	@BeforeEach
	void reject() {
		RemoteEndpoint.Async remote = Mockito.mock();
		Mockito.when(this.container.getAsyncRemote()).thenReturn(remote);
		Mockito.when(this.container.getUserProperties()).thenReturn(new HashMap<>());
		Mockito.when(this.container.getId()).thenReturn("1");
		Mockito.when(this.container.isOpen()).thenReturn(true);
		Mockito.doThrow(new IllegalStateException("expected"))
			.when(remote)
			.sendText(Mockito.anyString(), Mockito.any());
		this.session.initializeNativeSession(this.container);
	}

	@Test
	void sendersAreToldThatTheSessionIsClosed() {
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("1"), "handler",
				new SendLimits(Duration.ofMillis(50), 512 * 1024), () -> {
				}, TestOutbound.resources(Runnable::run, NanoClock.system()));
		for (int i = 0; i < 2; i++) {
			CompletableFuture<?> sent = outbound.send(new TextMessage("message"), Level.NORMAL);
			assertThat(sent).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withCauseInstanceOf(SessionClosedException.class);
			assertThat(outbound.isOpen()).isFalse();
		}
	}

	@Test
	void whenTheContainerFailsToSendAMessageThenItsSessionEnds() {
		RemoteEndpoint.Async remote = this.container.getAsyncRemote();
		Mockito.doAnswer((call) -> {
			call.getArgument(1, SendHandler.class)
				.onResult(new SendResult(this.container, new IOException("expected")));
			return null;
		}).when(remote).sendText(Mockito.anyString(), Mockito.any());
		SessionOutbound outbound = new SessionOutbound(this.session, this.executor.queue("1"), "handler",
				SessionLimits.DEFAULTS.send(), () -> {
				}, TestOutbound.resources(Runnable::run, NanoClock.system()));
		assertThat(outbound.send(new TextMessage("message"), Level.NORMAL)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(IOException.class);
		assertThat(outbound.isOpen()).isFalse();
	}

	@Test
	void whatTheClientSentBeforeItClosedIsHandledAlthoughNobodyHearsTheAnswers() throws Exception {
		List<String> handled = new ArrayList<>();
		WebSocketHandler handler = WebSocketDispatcher
			.builder(this.executor, SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
			.settings(TestSettings.of(TestSettings.NOT_BLOCKING))
			.control(Runnable::run)
			.build()
			.decorate(new TextWebSocketHandler() {

				@Override
				protected void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
					handled.add(message.getPayload());
					session.sendMessage(message);
				}

				@Override
				public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
					handled.add("closed");
				}

			});
		handler.afterConnectionEstablished(this.session);
		for (String message : List.of("1", "2", "3")) {
			handler.handleMessage(this.session, new TextMessage(message));
		}
		handler.afterConnectionClosed(this.session, CloseStatus.NORMAL);
		assertThat(handled).containsExactly("1", "2", "3", "closed");
	}

}
