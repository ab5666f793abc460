package dev.sluice.cluster.broadcast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.sluice.bus.BusUnavailableException;
import dev.sluice.bus.TopicEntry;
import org.jspecify.annotations.Nullable;

/**
 * Texts to all nodes that listen, including this one. All nodes receive the texts of a
 * key in one order, and each text once.
 *
 * @since 0.1.0
 */
public interface OrderedBroadcast {

	/**
	 * Begins to listen; called once. Waits for the bus, up to its timeout, and keeps
	 * trying if it is unavailable.
	 * @param listener receives the texts, one at a time for each key; must not block
	 * @return whether this node receives all texts published from now on
	 */
	boolean listen(Consumer<TopicEntry> listener);

	/**
	 * Publishes a text.
	 * @param key the key of the order in which the text is published
	 * @param text the text
	 * @return ends when the bus has accepted the text; fails with
	 * {@link BusUnavailableException} if it has not or may not have, or if this node does
	 * not listen
	 */
	CompletableFuture<@Nullable Void> publish(String key, String text);

	/**
	 * Stops at a place in the order of a key: the listener has received all texts before
	 * it, and receives later texts afterwards.
	 * @param key the key of the order
	 * @param known a position after which texts may have been missed, any text, or
	 * {@code null} to read no texts
	 * @param action called with the place in the turn of the key, before any later text
	 * is delivered; must not block
	 * @return ends when the stage that the action returns ends; fails if the action was
	 * not called
	 */
	CompletableFuture<@Nullable Void> stopAt(String key, @Nullable String known,
			Function<BroadcastPlace, CompletionStage<?>> action);

}
