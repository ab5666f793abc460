package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/**
 * Reports the size received, from sessions whose limits differ from others and are set
 * after some time.
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
