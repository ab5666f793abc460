package dev.sluice.websocket.session;

import java.security.Principal;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Task that is done in a session's turn.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SessionTask {

	/**
	 * Starts what is to be done. Should not throw, and should not wait.
	 * @return ends when it is done; the session's next task waits for it, but no thread
	 * does
	 */
	CompletionStage<@Nullable Void> run();

	/**
	 * Returns what kind of message it is about, for traces.
	 * @return one of a few kinds
	 */
	default String type() {
		return "unknown";
	}

	/**
	 * Returns in whose name it is to be done.
	 * @return the user, or {@code null} for that of the session
	 */
	default @Nullable Principal principal() {
		return null;
	}

}
