package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * Tells how much it has got, from sessions that may send less or more than others, which
 * it takes some time to find out.
 */
final class LimitedHandler extends TextWebSocketHandler {

	private final int limit;

	LimitedHandler(int limit) {
		this.limit = limit;
	}

	@Override
	public void afterConnectionEstablished(WebSocketSession session) {
		Work.take();
		session.setTextMessageSizeLimit(this.limit);
		session.setBinaryMessageSizeLimit(this.limit);
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		session.sendMessage(new TextMessage(message.getPayloadLength() + " of " + session.getTextMessageSizeLimit()));
	}

}
