package dev.sluice.websocket;

/** The session of a handler that is no endpoint. */
class HandlerSession extends ManagedSession {

	private final String type;

	HandlerSession(String type) {
		this.type = type;
	}

	/** What such sessions are counted as. */
	String type() {
		return this.type;
	}

}
