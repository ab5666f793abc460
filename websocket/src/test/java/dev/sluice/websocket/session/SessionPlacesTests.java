package dev.sluice.websocket.session;

import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

/** How long a session takes a place of the quota. */
class SessionPlacesTests {

	private static final CloseStatus NO_PLACE = CloseStatus.SERVICE_OVERLOAD.withReason("Too many sessions");

	private final SequentialLeveledTaskExecutor inbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final SequentialLeveledTaskExecutor outbound = SequentialLeveledTaskExecutor.builder(Runnable::run).build();

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(this.inbound, this.outbound, Runnable::run)
		.settings(TestSettings.of(TestSettings.NOT_BLOCKING, new QuotaLimits(1, Integer.MAX_VALUE, Integer.MAX_VALUE)))
		.control(Runnable::run)
		.build();

	private final WebSocketHandler handler = this.dispatcher.decorate(new TextWebSocketHandler());

	@Test
	void aPlaceIsTakenUntilAllThatWaitsIsHandledThoughTheConnectionIsGone() throws Exception {
		StubSession first = open("1");
		CompletableFuture<?> busy = new CompletableFuture<>();
		this.inbound.submitStage("1", Level.NORMAL, () -> busy);
		this.handler.handleMessage(first, new TextMessage("waiting"));
		this.handler.afterConnectionClosed(first, CloseStatus.NO_CLOSE_FRAME);
		assertThat(open("2").sent).containsExactly(NO_PLACE);
		busy.complete(null);
		assertThat(open("3").sent).isEmpty();
	}

	@Test
	void aSessionThatWasNotTakenInGivesItsPlaceBack() throws Exception {
		StubSession first = open("1");
		assertThat(open("2").sent).containsExactly(NO_PLACE);
		this.handler.afterConnectionClosed(first, CloseStatus.NORMAL);
		assertThat(open("3").sent).isEmpty();
	}

	private StubSession open(String id) throws Exception {
		StubSession session = new StubSession(id);
		this.handler.afterConnectionEstablished(session);
		return session;
	}

}
