package dev.sluice.cluster.resume;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** Requests to other nodes to hand over claimed sessions. */
public interface SessionEvictions {

	/**
	 * Requests a node to end its connection of a session and to hand the session over.
	 * @param incarnation the incarnation of the claim
	 * @return the content that the node has kept, empty if it has none, or {@code null}
	 * if the node does not answer in time
	 */
	CompletableFuture<@Nullable String> evict(String node, String key, long incarnation);

	/** Returns the maximum time to wait for an answer. */
	Duration timeout();

}
