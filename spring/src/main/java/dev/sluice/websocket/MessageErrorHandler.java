package dev.sluice.websocket;

import org.jspecify.annotations.Nullable;

/**
 * Chooses what a client is told when a message of its is not handled. A bean of this type
 * takes the place of the standard frames, for typed sessions and, as far as limits reject
 * their messages, for handlers that the application registers itself.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface MessageErrorHandler {

	/**
	 * Chooses the answer. Called in the session's turn; the connection lives on whatever
	 * it is.
	 * @param session the session
	 * @param error a {@link dev.sluice.throttle.ThrottledException} if a limit rejected
	 * the message, an {@link InvalidMessageException} if there is nothing that could
	 * handle it, or else what the handling method threw
	 * @return a text, bytes, or anything to be written as JSON; {@code null} for no
	 * answer
	 */
	@Nullable Object answer(ManagedSession session, Throwable error);

}
