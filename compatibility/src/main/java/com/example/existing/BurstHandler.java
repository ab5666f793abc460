package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Sends the requested number of messages at once. */
final class BurstHandler extends TextWebSocketHandler {

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		int count = Integer.parseInt(message.getPayload());
		for (int i = 0; i < count; i++) {
			session.sendMessage(new TextMessage(Work.message(i)));
		}
	}

}
