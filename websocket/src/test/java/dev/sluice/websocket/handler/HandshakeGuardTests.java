package dev.sluice.websocket.handler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.http.HttpStatus;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@link HandshakeGuard}, and sessions that open although it is too late. */
class HandshakeGuardTests {

	private final WebSocketDispatcher dispatcher = WebSocketDispatcher
		.builder(SequentialLeveledTaskExecutor.builder(Runnable::run).build(),
				SequentialLeveledTaskExecutor.builder(Runnable::run).build(), Runnable::run)
		.control(Runnable::run)
		.settings(TestSettings.of(new QuotaLimits(1, Integer.MAX_VALUE, Integer.MAX_VALUE)))
		.build();

	private final HandshakeGuard guard = new HandshakeGuard(this.dispatcher.context().admission(), false);

	private final WebSocketHandler handler = this.dispatcher.decorate(new AbstractWebSocketHandler() {
	});

	private final ServerHttpRequest request = Mockito.mock();

	private final ServerHttpResponse response = Mockito.mock();

	private final StubSession client = new StubSession("1");

	@Test
	void aHandshakeThatIsRejectedIsNotWaitedFor() throws Exception {
		this.handler.afterConnectionEstablished(this.client);
		assertThat(begin()).isFalse();
		Mockito.verify(this.response).setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(this.dispatcher.context().admission().close()).isCompleted();
	}

	@Test
	void aHandshakeThatIsUnderWayIsWaitedForAndItsSessionClosed() throws Exception {
		assertThat(begin()).isTrue();
		CompletableFuture<?> closed = this.dispatcher.shutdown().drainAndClose(Duration.ofMinutes(10));
		assertThat(begin()).isFalse();
		this.handler.afterConnectionEstablished(this.client);
		assertThat(this.client.sent).containsExactly(CloseStatus.GOING_AWAY.withReason("Application is stopping"));
		assertThat(closed).isNotDone();
		this.guard.afterHandshake(this.request, this.response, this.handler, null);
		this.handler.afterConnectionClosed(this.client, CloseStatus.GOING_AWAY);
		assertThat(closed).succeedsWithin(Duration.ofMinutes(1));
	}

	@ParameterizedTest
	@EnumSource
	void handshakeThatCodeOfTheApplicationEndsIsNotWaitedFor(Culprit culprit) {
		HandshakeInterceptor interceptor = Mockito.mock(HandshakeInterceptor.class, (call) -> {
			culprit.failIf(Culprit.INTERCEPTOR);
			return true;
		});
		HandshakeHandler handshakes = (request, response, handler, attributes) -> {
			culprit.failIf(Culprit.HANDSHAKE_HANDLER);
			return true;
		};
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setUserPrincipal(() -> {
			culprit.failIf(Culprit.PRINCIPAL);
			return "ann";
		});
		HttpRequestHandler served = new OrderedHttpRequestHandler(this.handler, handshakes, List.of(interceptor),
				this.guard);

		assertThatThrownBy(() -> served.handleRequest(request, new MockHttpServletResponse()))
			.hasStackTraceContaining("expected");
		assertThat(this.dispatcher.context().admission().close()).isCompleted();
	}

	private boolean begin() {
		return this.guard.beforeHandshake(this.request, this.response, this.handler, Map.of());
	}

	/** Code of the application that fails. */
	enum Culprit {

		PRINCIPAL, INTERCEPTOR, HANDSHAKE_HANDLER;

		void failIf(Culprit called) {
			if (this == called) {
				throw new AssertionError("expected");
			}
		}

	}

}
