package com.example.existing;

import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;

/** Sends every message back, and every part of a message where it takes parts. */
final class EchoHandler extends AbstractWebSocketHandler {

	private final boolean parts;

	EchoHandler(boolean parts) {
		this.parts = parts;
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		session.sendMessage(message);
	}

	@Override
	protected void handleBinaryMessage(WebSocketSession session, BinaryMessage message) throws Exception {
		session.sendMessage(message);
	}

	@Override
	public boolean supportsPartialMessages() {
		return this.parts;
	}

}
