package dev.sluice.client;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Callback for what a {@link SluiceClient} receives. The methods are called on the
 * client's executor, one at a time, in the order of the events, each when the one before
 * has returned and the stage that it returned, if any, has ended. An exception, or a
 * stage that fails, is reported to {@link #onError}, and the message counts as handled.
 *
 * @since 0.1.0
 */
public interface ClientListener {

	/**
	 * Handles a message.
	 * @param message the message
	 * @return a stage that is awaited before the next call, or {@code null} if the
	 * message is handled
	 */
	@Nullable CompletionStage<?> onMessage(ClientMessage message);

	/**
	 * Loads the state of a topic anew, as messages are missing here.
	 * @param gap the place
	 * @return a stage that is awaited before the next call, or {@code null} if the gap is
	 * handled
	 */
	default @Nullable CompletionStage<?> onGap(TopicGap gap) {
		return null;
	}

	/**
	 * Loads all state anew, as the session is new.
	 * @param session the session
	 */
	default void onSession(NewSession session) {
	}

	/**
	 * Learns that the session goes on.
	 * @param session the session
	 */
	default void onResumed(ResumedSession session) {
	}

	/**
	 * Learns of another state of the client.
	 * @param change the change
	 */
	default void onStateChange(StateChange change) {
	}

	/**
	 * Learns of an exception: of this listener or the store, of a frame that cannot be
	 * read, or of a handshake that failed. By default it is logged as a warning. It may
	 * be called at any time, on any thread.
	 * @param error the exception
	 */
	default void onError(Throwable error) {
		System.getLogger(ClientListener.class.getName()).log(System.Logger.Level.WARNING, "Error of a client", error);
	}

}
