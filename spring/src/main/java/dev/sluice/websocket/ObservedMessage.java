package dev.sluice.websocket;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Callback for one message, called for one thing after the other on different threads.
 *
 * @since 0.1.0
 */
public interface ObservedMessage {

	/** Watches nothing, at no cost. */
	ObservedMessage NONE = new ObservedMessage() {
	};

	/**
	 * Told that the message's turn has come, and again whenever a thread goes on with it.
	 * @return to be closed by the same thread; what happens before belongs to the message
	 */
	default Scope open() {
		return Scope.NONE;
	}

	/**
	 * Called with what a message of a client is, when its turn has come.
	 * @param type what the application calls such messages: their type in a typed
	 * session, {@code text} or {@code binary} in others, the kind of a STOMP message;
	 * {@code unknown} for one that nothing is for
	 * @param user who sent it, or {@code null} for an anonymous client
	 */
	default void identified(String type, @Nullable Principal user) {
	}

	/**
	 * Called with what went wrong in its handling.
	 * @param failure a limit's rejection, a client's mistake or a failure; only the first
	 * counts
	 */
	default void failed(Throwable failure) {
	}

	/**
	 * Told once, when all is done.
	 * @param rejection why the message had no turn or could not be sent, or {@code null}
	 */
	default void ended(@Nullable Throwable rejection) {
	}

	/** The time in which what a thread does belongs to a message. */
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
