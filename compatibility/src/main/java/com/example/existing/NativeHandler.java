package com.example.existing;

import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * Reads the available properties of a session, when a message arrives and when the
 * session has closed.
 */
final class NativeHandler extends TextWebSocketHandler {

	private final Closed closed;

	NativeHandler(Closed closed) {
		this.closed = closed;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		SessionFacts.mark(session);
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		if (message.getPayload().equals("close")) {
			session.close(CloseStatus.NORMAL);
		}
		else {
			session.sendMessage(new TextMessage(SessionFacts.of(session)));
		}
	}

	@Override
	public void afterConnectionClosed(WebSocketSession session, CloseStatus status) {
		this.closed.put(String.valueOf(session.getAttributes().get("name")), SessionFacts.ofClosed(session));
	}

}
