package dev.sluice.guide;

import dev.sluice.annotation.Throttled;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;

@WebSocketEndpoint(path = "/counter")
class Counter extends ManagedSession {

	private int total;

	@OnMessage
	@Throttled(value = "counts", key = "#session.id")
	Total add(Add message) {
		this.total += message.amount();
		return new Total(this.total);
	}

	record Add(int amount) {

	}

	record Total(int total) {

	}

}
