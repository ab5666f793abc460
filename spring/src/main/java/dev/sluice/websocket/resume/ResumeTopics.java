package dev.sluice.websocket.resume;

import java.util.concurrent.CompletableFuture;

import dev.sluice.websocket.session.OrderedWebSocketSession;

/** Topics that sessions join once more, behind what their clients know of them. */
public interface ResumeTopics {

	/**
	 * Joins a topic; nothing of it is sent before {@link Joined#start} is called.
	 * @param at the position that the client knows
	 */
	CompletableFuture<Joined> resume(String name, OrderedWebSocketSession session, String at);

	/**
	 * A topic that was joined once more.
	 *
	 * @param recovered whether what follows the position is all there
	 * @param missed how many messages follow it
	 * @param at the position behind which the topic goes on
	 * @param start sends what was missed, and lets what is new follow; its future ends
	 * when what was missed is out
	 */
	record Joined(boolean recovered, int missed, String at, Start start) {
	}

	/** Beginning of a replay. */
	@FunctionalInterface
	interface Start {

		/**
		 * Sends what was missed.
		 * @return ends when it is out
		 */
		CompletableFuture<?> begin();

	}

}
