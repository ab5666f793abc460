package com.example.existing;

import java.util.List;

import org.springframework.web.socket.SubProtocolCapable;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Supports two protocols, and reports the one agreed on. */
final class ProtocolsHandler extends TextWebSocketHandler implements SubProtocolCapable {

	@Override
	public List<String> getSubProtocols() {
		return List.of("first", "second");
	}

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		session.sendMessage(new TextMessage(String.valueOf(session.getAcceptedProtocol())));
	}

}
