package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Answers first and saves then. */
final class SavingHandler extends TextWebSocketHandler {

	private final Saved saved;

	SavingHandler(Saved saved) {
		this.saved = saved;
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		session.sendMessage(new TextMessage("saving " + message.getPayload()));
		this.saved.save();
	}

}
