package dev.sluice.websocket.handler;

import java.security.Principal;
import java.util.concurrent.CompletionStage;

import dev.sluice.websocket.inbound.InboundMessage;
import org.jspecify.annotations.Nullable;

/**
 * Task that runs in a session's turn.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SessionTask {

	/**
	 * Starts the task. Should not throw, and should not wait.
	 * @param turn the turn of the session, or {@code null} if the session has ended
	 * @return ends when the task is complete; the session's next task waits for it, but
	 * no thread does
	 */
	CompletionStage<@Nullable Void> run(@Nullable InboundMessage turn);

	/**
	 * Returns the kind of the message, for traces.
	 * @return one of a few kinds
	 */
	default String type() {
		return "unknown";
	}

	/**
	 * Returns the user in whose name the task runs.
	 * @return the user, or {@code null} for the principal of the session
	 */
	default @Nullable Principal principal() {
		return null;
	}

}
