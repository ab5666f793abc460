package dev.sluice.client;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Callback for the messages and events of a {@link SluiceClient}. The methods are called
 * on the client's executor, one at a time, in the order of the events, each after the
 * previous call has returned and its stage, if any, has ended. An exception, or a stage
 * that fails, is reported to {@link #onError}, and the message counts as handled.
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
	 * Called when messages of a topic are missing. Reload the state of the topic.
	 * @param gap the place
	 * @return a stage that is awaited before the next call, or {@code null} if the gap is
	 * handled
	 */
	default @Nullable CompletionStage<?> onGap(TopicGap gap) {
		return null;
	}

	/**
	 * Called when the session is new. Reload all state.
	 * @param session the session
	 */
	default void onSession(NewSession session) {
	}

	/**
	 * Called when the session has been resumed.
	 * @param session the session
	 */
	default void onResumed(ResumedSession session) {
	}

	/**
	 * Called when the state of the client has changed.
	 * @param change the change
	 */
	default void onStateChange(StateChange change) {
	}

	/**
	 * Called for an exception of this listener or of the store, for an unreadable frame,
	 * and for a failed handshake. By default the exception is logged as a warning. May be
	 * called at any time, on any thread.
	 * @param error the exception
	 */
	default void onError(Throwable error) {
		System.getLogger(ClientListener.class.getName()).log(System.Logger.Level.WARNING, "Error of a client", error);
	}

}
