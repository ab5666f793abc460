package dev.sluice.readme;

import java.io.IOException;

import dev.sluice.annotation.Throttled;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

@Component
class Echo extends TextWebSocketHandler {

	@Override
	@Throttled(value = "commands", key = "#session.id")
	public void handleTextMessage(WebSocketSession session, TextMessage message) throws IOException {
		session.sendMessage(new TextMessage("You said: " + message.getPayload()));
	}

}
