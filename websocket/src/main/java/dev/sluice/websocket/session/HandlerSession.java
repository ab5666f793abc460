package dev.sluice.websocket.session;

import dev.sluice.websocket.ManagedSession;

/** The session of a handler that is not an endpoint. */
public class HandlerSession extends ManagedSession {

	private final String type;

	public HandlerSession(String type) {
		this.type = type;
	}

	/** Type under which such sessions are counted. */
	String type() {
		return this.type;
	}

}
