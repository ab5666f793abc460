package dev.sluice.cluster;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Callback for requests between nodes, for traces.
 *
 * @since 0.1.0
 */
public interface ClusterObserver {

	/** Watches nothing, at no cost. */
	ClusterObserver NONE = new ClusterObserver() {
	};

	/**
	 * Called before this node sends a request to all nodes concerned, including itself;
	 * on the requesting thread.
	 * @param action the requested action: {@code find}, {@code send}, {@code post},
	 * {@code close}, {@code publish} or {@code broadcast}
	 * @param topic the topic, or {@code null} for an action without a topic
	 * @return observer of the request, whose headers are sent with it
	 */
	default ObservedExchange sending(String action, @Nullable String topic) {
		return ObservedExchange.NONE;
	}

	/**
	 * Called before this node handles a request of any node; on the thread that handles
	 * it.
	 * @param action the requested action, as for {@link #sending}
	 * @param topic the topic, or {@code null} for an action without a topic
	 * @param headers the headers received with the request
	 * @return observer of the handling
	 */
	default ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
		return ObservedExchange.NONE;
	}

}
