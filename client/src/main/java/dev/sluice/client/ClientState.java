package dev.sluice.client;

/**
 * State of a {@link SluiceClient}.
 *
 * @since 0.1.0
 */
public enum ClientState {

	/** A connection is being made, or has not been greeted by the server yet. */
	CONNECTING,

	/** There is a session, and a connection to it. */
	OPEN,

	/** The connection is lost, and the next one is made after a delay. */
	WAITING,

	/** The session has ended, or was left; nothing follows. */
	CLOSED

}
