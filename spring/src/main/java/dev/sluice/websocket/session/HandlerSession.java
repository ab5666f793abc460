package dev.sluice.websocket.session;

import dev.sluice.websocket.ManagedSession;

/** The session of a handler that is no endpoint. */
public class HandlerSession extends ManagedSession {

	private final String type;

	public HandlerSession(String type) {
		this.type = type;
	}

	/** What such sessions are counted as. */
	String type() {
		return this.type;
	}

}
