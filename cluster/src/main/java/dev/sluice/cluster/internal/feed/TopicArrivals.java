package dev.sluice.cluster.internal.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.sluice.bus.TopicHistory;
import org.jspecify.annotations.Nullable;

/**
 * Members that wait to join topics; all that wait for one topic join together.
 *
 * @param <T> a topic
 */
public final class TopicArrivals<T> {

	/*
	 * The calls of one session take effect in their order. A session that leaves while
	 * its join waits in a batch leaves in that batch. Otherwise leaving takes a turn of
	 * its own and closes the batch, which may have an earlier turn: the next session that
	 * joins opens a batch with a later turn. Attacked by TopicTests and
	 * CatchUpHistoryTests.
	 */

	/** An empty history, for sessions without a known position. */
	public static final TopicHistory NOT_READ = new TopicHistory(null, null, List.of());

	private final Map<String, JoinBatch> open = new HashMap<>();

	/**
	 * Adds a session that joins.
	 * @return a new batch, for which the caller takes a turn of the topic; {@code null}
	 * if a batch already waits
	 */
	public synchronized @Nullable JoinBatch add(String topic, Arrival<T> arrival) {
		JoinBatch present = this.open.get(topic);
		JoinBatch batch = (present != null) ? present : new JoinBatch(topic);
		this.open.put(topic, batch);
		batch.add(arrival);
		return (present == null) ? batch : null;
	}

	/** Adds a session that leaves, if it waits to join; returns whether it does. */
	public synchronized boolean addLeaving(String topic, Arrival<T> leaving) {
		JoinBatch batch = this.open.get(topic);
		if (batch == null || !batch.sessions.contains(leaving.session())) {
			return false;
		}
		batch.add(leaving);
		return true;
	}

	/**
	 * Closes the batch, so that the next sessions to join take a turn after all turns
	 * taken so far.
	 */
	public synchronized void close(String topic) {
		this.open.remove(topic);
	}

	/** Members that wait for one turn of a topic, in their order. */
	public final class JoinBatch {

		private final String topic;

		/** Guarded by the lock of all parties; changed only while the batch is open. */
		private final List<Arrival<T>> arrivals = new ArrayList<>();

		private final Set<Object> sessions = new HashSet<>();

		private JoinBatch(String topic) {
			this.topic = topic;
		}

		private void add(Arrival<T> arrival) {
			this.arrivals.add(arrival);
			this.sessions.add(arrival.session());
		}

		/**
		 * Begins the turn; no further session is added.
		 * @return whether a session requires the history of the topic
		 */
		public boolean begin() {
			synchronized (TopicArrivals.this) {
				TopicArrivals.this.open.remove(this.topic, this);
			}
			return this.arrivals.stream().anyMatch((arrival) -> arrival.at() != null);
		}

		/** Ends the batch: all join and leave, if a history is available. */
		public void end(T topic, @Nullable TopicHistory history, @Nullable Throwable failure) {
			this.arrivals.forEach((arrival) -> arrival.end(topic, history, failure));
		}

		/** It has got no turn. */
		public void reject(Throwable failure) {
			begin();
			this.arrivals.forEach((arrival) -> arrival.rejected().accept(failure));
		}

	}

	/**
	 * A session that waits to join a topic, or to leave it again.
	 *
	 * @param <T> a topic
	 * @param session the session that joins or leaves
	 * @param at the last position of the session, or {@code null} if it is new
	 * @param leaves whether it leaves, which is always possible
	 * @param admitted called in the topic's turn, with the history of the topic for
	 * sessions with a position
	 * @param rejected called if joining is not possible
	 */
	public record Arrival<T>(Object session, @Nullable String at, boolean leaves, BiConsumer<T, TopicHistory> admitted,
			Consumer<Throwable> rejected) {

		/** Returns an arrival of a session that joins. */
		public static <T> Arrival<T> joining(Object session, @Nullable String at, BiConsumer<T, TopicHistory> admitted,
				Consumer<Throwable> rejected) {
			return new Arrival<>(session, at, false, admitted, rejected);
		}

		/** Returns an arrival of a session that leaves. */
		public static <T> Arrival<T> leaving(Object session, Consumer<T> left, Consumer<Throwable> rejected) {
			return new Arrival<>(session, null, true, (topic, history) -> left.accept(topic), rejected);
		}

		private void end(T topic, @Nullable TopicHistory history, @Nullable Throwable failure) {
			try {
				if (history != null || this.leaves) {
					this.admitted.accept(topic, (history != null) ? history : NOT_READ);
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
