package com.example.single;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

/** Answers each message. */
@WebSocketEndpoint(path = "/echo")
class EchoSession extends ManagedSession {

	@OnMessage
	Echo echo(Echo message) {
		return message;
	}

	/**
	 * A message.
	 *
	 * @param text the text
	 */
	record Echo(String text) {
	}

}
