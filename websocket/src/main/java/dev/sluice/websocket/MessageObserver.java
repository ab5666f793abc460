package dev.sluice.websocket;

import dev.sluice.execution.Level;

/**
 * Callback for messages on their way through the queues of sessions, for traces.
 *
 * @since 0.1.0
 */
public interface MessageObserver {

	/** Watches nothing, at no cost. */
	MessageObserver NONE = new MessageObserver() {
	};

	/**
	 * Called before a client's message is queued; on the thread that received it.
	 * @param sessionType the simple name of a session's class, {@code handler} or
	 * {@code stomp}
	 * @param sessionId the session's id
	 * @param level the message's level
	 * @return observer of the message
	 */
	default ObservedMessage received(String sessionType, String sessionId, Level level) {
		return ObservedMessage.NONE;
	}

	/**
	 * Called before a message to a client is queued; on the thread that sends it.
	 * @param sessionType the simple name of a session's class, {@code handler} or
	 * {@code stomp}
	 * @param sessionId the session's id
	 * @param level the message's level
	 * @return observer of the message
	 */
	default ObservedMessage sending(String sessionType, String sessionId, Level level) {
		return ObservedMessage.NONE;
	}

}
