package dev.sluice.websocket.cluster;

import java.util.Map;

import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Callback for one thing that a node asks of others, or does for one, called for one
 * thing after the other on different threads.
 *
 * @since 0.1.0
 */
public interface ObservedExchange {

	/** Watches nothing, at no cost. */
	ObservedExchange NONE = new ObservedExchange() {
	};

	/**
	 * Returns what goes with a message to other nodes. Of more than eight headers, or
	 * more than 1,024 characters in all, the rest is left out.
	 * @return names and values
	 */
	default Map<String, String> headers() {
		return Map.of();
	}

	/**
	 * Called when a thread begins to do what was asked for.
	 * @return to be closed by the same thread; what happens before belongs to this
	 */
	default ObservedMessage.Scope open() {
		return ObservedMessage.Scope.NONE;
	}

	/** Called when a node that was asked has not answered. */
	default void unanswered() {
	}

	/**
	 * Called once, when all is done.
	 * @param failure why it could not be done, or {@code null}
	 */
	default void ended(@Nullable Throwable failure) {
	}

}
