package dev.sluice.cluster.resume;

import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.session.OrderedWebSocketSession;

/** Topics that sessions join again, after the latest positions of their clients. */
public interface ResumeTopics {

	/**
	 * Joins a topic; its messages are not sent before {@link Joined#start} is called.
	 * @param at the latest position of the client
	 */
	CompletableFuture<Joined> resume(String name, OrderedWebSocketSession session, String at);

	/**
	 * A topic that was joined again.
	 *
	 * @param recovered whether all messages that follow the position are available
	 * @param missed how many messages follow it
	 * @param at the position after which the topic continues
	 * @param start sends the missed messages, followed by new ones; its future ends when
	 * the missed messages are written
	 */
	record Joined(boolean recovered, int missed, String at, Start start) {
	}

	/** Beginning of a replay. */
	@FunctionalInterface
	interface Start {

		/**
		 * Sends the missed messages.
		 * @return ends when it is out
		 */
		CompletableFuture<?> begin();

	}

}
