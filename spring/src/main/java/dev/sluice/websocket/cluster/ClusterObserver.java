package dev.sluice.websocket.cluster;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Callback for what nodes ask of each other, for traces.
 *
 * @since 0.1.0
 */
public interface ClusterObserver {

	/** Watches nothing, at no cost. */
	ClusterObserver NONE = new ClusterObserver() {
	};

	/**
	 * Called when this node is about to ask something of all that it concerns, itself
	 * among them; on the thread that asks.
	 * @param action what is asked for: {@code find}, {@code send}, {@code post},
	 * {@code close}, {@code publish} or {@code broadcast}
	 * @param topic the topic, if it is about one
	 * @return watches what becomes of it; its headers go with it
	 */
	default ObservedExchange sending(String action, @Nullable String topic) {
		return ObservedExchange.NONE;
	}

	/**
	 * Called when this node is about to do what any node has asked for; on the thread
	 * that does it.
	 * @param action what is asked for, as for {@link #sending}
	 * @param topic the topic, if it is about one
	 * @param headers those that came with it
	 * @return watches what is done
	 */
	default ObservedExchange receiving(String action, @Nullable String topic, Map<String, String> headers) {
		return ObservedExchange.NONE;
	}

}
