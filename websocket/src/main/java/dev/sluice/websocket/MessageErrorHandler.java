package dev.sluice.websocket;

import org.jspecify.annotations.Nullable;

/**
 * Strategy for answering a client whose message is not handled, for typed sessions and,
 * as far as limits reject their messages, for handlers that the application registers
 * itself. Beans of this type are called in their order; if all return {@code null}, the
 * client receives the standard frame. An exception of a method that one of them answers
 * is logged at level debug only.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface MessageErrorHandler {

	/** Answer that sends nothing to the client. */
	Object NO_ANSWER = new Object() {

		@Override
		public String toString() {
			return "NO_ANSWER";
		}

	};

	/**
	 * Chooses the answer. Called in the session's turn; the connection stays open with
	 * any answer.
	 * @param session the session
	 * @param error a {@link dev.sluice.throttle.ThrottledException} if a limit rejected
	 * the message, an {@link InvalidMessageException} if no method can handle it, or else
	 * the exception of the handling method
	 * @return a text, bytes, or anything to be written as JSON; {@link #NO_ANSWER} to
	 * send no answer; {@code null} to leave the choice to the next handler
	 */
	@Nullable Object answer(ManagedSession session, Throwable error);

}
