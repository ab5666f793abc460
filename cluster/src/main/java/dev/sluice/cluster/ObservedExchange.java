package dev.sluice.cluster;

import java.util.Map;

import dev.sluice.websocket.ObservedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Callback for one request between nodes, on the node that sends it or on a node that
 * handles it. The methods are called one after the other, on different threads.
 *
 * @since 0.1.0
 */
public interface ObservedExchange {

	/** Watches nothing, at no cost. */
	ObservedExchange NONE = new ObservedExchange() {
	};

	/**
	 * Returns the headers to send with a message to other nodes. Only the first eight
	 * headers, up to 1,024 characters in all, are sent.
	 * @return names and values
	 */
	default Map<String, String> headers() {
		return Map.of();
	}

	/**
	 * Called when a thread begins to handle the request.
	 * @return a scope that the same thread closes; the observations of the thread until
	 * then belong to this one
	 */
	default ObservedMessage.Scope open() {
		return ObservedMessage.Scope.NONE;
	}

	/** Called when a node has not answered the request. */
	default void unanswered() {
	}

	/**
	 * Called once, when the request has ended.
	 * @param failure the failure of the request, or {@code null}
	 */
	default void ended(@Nullable Throwable failure) {
	}

}
