package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Tells how much it has got, from sessions that may send less than others. */
final class LimitedHandler extends TextWebSocketHandler {

	private static final int LIMIT = 20_000;

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		session.setTextMessageSizeLimit(LIMIT);
		session.setBinaryMessageSizeLimit(LIMIT);
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		session.sendMessage(new TextMessage(message.getPayloadLength() + " of " + session.getTextMessageSizeLimit()));
	}

}
