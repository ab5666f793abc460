package com.example.existing;

import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

/** Waits for the second message of a session while it handles the first. */
final class WaitingHandler extends TextWebSocketHandler {

	private final Meetings meetings = new Meetings();

	@Override
	protected void handleTextMessage(WebSocketSession session, TextMessage message) throws Exception {
		if (message.getPayload().equals("second")) {
			this.meetings.come(session.getId());
		}
		else {
			session.sendMessage(new TextMessage(this.meetings.await(session.getId())));
		}
	}

}
