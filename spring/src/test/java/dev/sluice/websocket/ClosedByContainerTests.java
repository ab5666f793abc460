package dev.sluice.websocket;

import java.time.Duration;
import java.util.HashMap;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.time.NanoClock;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.http.HttpHeaders;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.adapter.standard.StandardWebSocketSession;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A container that refuses to send, before it tells that the connection has ended: as
 * Tomcat does between the client's close frame and the callback.
 */
class ClosedByContainerTests {

	private final Session container = Mockito.mock();

	private final SequentialLeveledTaskExecutor executor = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	@Test
	void sendersAreToldThatTheSessionIsClosed() {
		IllegalStateException refusal = new IllegalStateException("expected");
		RemoteEndpoint.Async remote = Mockito.mock();
		Mockito.when(this.container.getAsyncRemote()).thenReturn(remote);
		Mockito.when(this.container.getUserProperties()).thenReturn(new HashMap<>());
		Mockito.when(this.container.getId()).thenReturn("1");
		Mockito.when(this.container.isOpen()).thenReturn(true);
		Mockito.doThrow(refusal).when(remote).sendText(Mockito.anyString(), Mockito.any());
		StandardWebSocketSession session = new StandardWebSocketSession(new HttpHeaders(), null, null, null);
		session.initializeNativeSession(this.container);
		SessionOutbound outbound = new SessionOutbound(session, this.executor.queue("1"), Runnable::run,
				SessionLimits.DEFAULTS, NanoClock.system(), () -> {
				}, null, new SessionObserver(MessageObserver.NONE, "handler"));
		for (int i = 0; i < 2; i++) {
			CompletableFuture<?> sent = outbound.send(new TextMessage("message"), Level.NORMAL);
			assertThat(sent).failsWithin(Duration.ofSeconds(10))
				.withThrowableThat()
				.withCauseInstanceOf(SessionClosedException.class);
			assertThat(outbound.isOpen()).isFalse();
		}
	}

}
