package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Sends for as long as its session is open, and notes when it stops. */
final class LoopingHandler extends TextWebSocketHandler {

	private final Closed closed;

	LoopingHandler(Closed closed) {
		this.closed = closed;
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		try {
			while (session.isOpen()) {
				session.sendMessage(new TextMessage("tick"));
				Work.take();
			}
		}
		finally {
			this.closed.put(message.getPayload(), "the loop has ended");
		}
	}

}
