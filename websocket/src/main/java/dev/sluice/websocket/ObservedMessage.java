package dev.sluice.websocket;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Callback for one message. The methods are called one after the other, on different
 * threads.
 *
 * @since 0.1.0
 */
public interface ObservedMessage {

	/** Watches nothing, at no cost. */
	ObservedMessage NONE = new ObservedMessage() {
	};

	/**
	 * Called when the message's turn has come, and again when another thread continues
	 * it.
	 * @return a scope that the same thread closes; the observations of the thread until
	 * then belong to the message
	 */
	default Scope open() {
		return Scope.NONE;
	}

	/**
	 * Called with the type and the user of a client's message, when its turn has come.
	 * @param type the application's type of the message: its type in a typed session,
	 * {@code text} or {@code binary} in others, the kind of a STOMP message;
	 * {@code unknown} for a message without a handler
	 * @param user the sender, or {@code null} for an anonymous client
	 */
	default void identified(String type, @Nullable Principal user) {
	}

	/**
	 * Called with the failure of its handling.
	 * @param failure a limit's rejection, a client's error or a failure; only the first
	 * counts
	 */
	default void failed(Throwable failure) {
	}

	/**
	 * Called once, when all work for the message has ended.
	 * @param rejection the reason why the message had no turn or could not be sent, or
	 * {@code null}
	 */
	default void ended(@Nullable Throwable rejection) {
	}

	/** Scope in which the work of a thread belongs to a message. */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/** Nothing to close. */
		Scope NONE = () -> {
		};

		/** Ends the time. */
		@Override
		void close();

	}

}
