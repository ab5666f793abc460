package dev.sluice.websocket.cluster.internal.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.sluice.cluster.TopicHistory;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait to join topics; all who wait for one topic are taken together. Locks
 * itself.
 *
 * @param <T> a topic
 */
public final class TopicArrivals<T> {

	private final Map<String, List<Arrival<T>>> waiting = new HashMap<>();

	/** Adds one; returns whether nobody waited, so that the caller must have it taken. */
	public synchronized boolean add(String topic, Arrival<T> arrival) {
		List<Arrival<T>> present = this.waiting.computeIfAbsent(topic, (name) -> new ArrayList<>());
		present.add(arrival);
		return present.size() == 1;
	}

	/** Takes all who wait for a topic. */
	public synchronized List<Arrival<T>> take(String topic) {
		List<Arrival<T>> taken = this.waiting.remove(topic);
		return (taken != null) ? taken : List.of();
	}

	/**
	 * One who waits to join a topic.
	 *
	 * @param <T> a topic
	 * @param at the position that it knows, or {@code null} if it is new
	 * @param admitted is called in the topic's turn, with what is left of the topic for
	 * those who know a position
	 * @param rejected is called if that is not possible
	 */
	public record Arrival<T>(@Nullable String at, BiConsumer<T, TopicHistory> admitted, Consumer<Throwable> rejected) {

		/** Its turn has come, and either there is a history or a failure. */
		public void end(T topic, @Nullable TopicHistory history, @Nullable Throwable failure) {
			try {
				if (history != null) {
					this.admitted.accept(topic, history);
				}
				else {
					this.rejected.accept(Objects.requireNonNull(failure));
				}
			}
			catch (RuntimeException ex) {
				this.rejected.accept(ex);
			}
		}

	}

}
