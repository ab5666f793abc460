package dev.sluice.websocket.handler;

import java.util.concurrent.CompletionStage;

import dev.sluice.execution.Level;
import dev.sluice.internal.Failures;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.message.MessageCost;
import dev.sluice.websocket.session.OrderedWebSocketSession;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketMessage;

/** A message for a handler that is called for each message. */
final class HandlerMessage extends InboundMessage {

	private static final Log logger = LogFactory.getLog(HandlerMessage.class);

	private final HandlerCalls calls;

	private final OrderedWebSocketSession session;

	private final WebSocketMessage<?> payload;

	HandlerMessage(HandlerCalls calls, OrderedWebSocketSession session, WebSocketMessage<?> payload, Level level) {
		super(session.inbound(), MessageCost.of(payload), level);
		this.calls = calls;
		this.session = session;
		this.payload = payload;
	}

	@Override
	protected CompletionStage<@Nullable Void> handle() {
		HandlerGate limits = this.calls.limits();
		try {
			if (limits != null && limits.limits(this.payload)) {
				return handle(limits);
			}
			begin();
			this.calls.handler().handleMessage(this.session, this.payload);
		}
		catch (Throwable ex) {
			fail(ex);
		}
		return HANDLED;
	}

	private CompletionStage<@Nullable Void> handle(HandlerGate limits) {
		return awaited(limits.call(this.session, this.payload, decorated(() -> {
			admitted();
			callLimited();
			return null;
		}))).<@Nullable Void>handle((nothing, failure) -> {
			if (failure != null) {
				proceed(() -> fail(Failures.cause(failure)));
			}
			return null;
		});
	}

	/** A rejection by the limits of a method that the handler calls is no failure. */
	private void callLimited() throws Exception {
		begin();
		try {
			this.calls.handler().handleMessage(this.session, this.payload);
		}
		catch (ThrottledException ex) {
			reject(ex);
		}
	}

	private void begin() {
		if (logger.isTraceEnabled()) {
			logger.trace("Handling " + this.payload + " in " + this.session);
		}
		identified((this.payload instanceof TextMessage) ? "text"
				: (this.payload instanceof BinaryMessage) ? "binary" : "pong");
	}

	private void reject(ThrottledException rejection) {
		failed(rejection);
		this.calls.throttledAnswer().answer(this.session, rejection);
	}

	private void fail(Throwable failure) {
		try {
			if (failure instanceof ThrottledException rejection) {
				reject(rejection);
				return;
			}
			failed(failure);
			HandlerCalls.failed(this.session, failure);
		}
		catch (Throwable ex) {
			HandlerCalls.failed(this.session, ex);
		}
	}

}
