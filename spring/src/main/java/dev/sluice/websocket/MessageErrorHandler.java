package dev.sluice.websocket;

import org.jspecify.annotations.Nullable;

/**
 * Strategy for answering a client whose message is not handled, for typed sessions and,
 * as far as limits reject their messages, for handlers that the application registers
 * itself. Beans of this type are asked in their order; if all return {@code null}, the
 * client receives the standard frame. An exception of a method that one of them answers
 * is logged at level debug only.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface MessageErrorHandler {

	/** Answer that is not sent: the client receives nothing. */
	Object NO_ANSWER = new Object() {

		@Override
		public String toString() {
			return "NO_ANSWER";
		}

	};

	/**
	 * Chooses the answer. Called in the session's turn; the connection lives on whatever
	 * it is.
	 * @param session the session
	 * @param error a {@link dev.sluice.throttle.ThrottledException} if a limit rejected
	 * the message, an {@link InvalidMessageException} if there is nothing that could
	 * handle it, or else what the handling method threw
	 * @return a text, bytes, or anything to be written as JSON; {@link #NO_ANSWER} to
	 * tell the client nothing; {@code null} for no opinion
	 */
	@Nullable Object answer(ManagedSession session, Throwable error);

}
