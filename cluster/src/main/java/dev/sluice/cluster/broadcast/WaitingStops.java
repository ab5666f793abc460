package dev.sluice.cluster.broadcast;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import dev.sluice.time.NanoClock;
import dev.sluice.websocket.message.BoundedLog;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for the turn of a shard, to stop at a place in it; locks itself.
 */
final class WaitingStops {

	/*
	 * The caller that adds the first stop creates the task, which takes some of them; a
	 * task that ends creates the next one if more remain. There is at most one task, and
	 * one whenever a stop waits. Attacked by ShardedBroadcastTests.
	 */

	private static final BoundedLog FAILURES = new BoundedLog(LogFactory.getLog(OrderedBroadcast.class),
			NanoClock.system(), "Broadcast listener failed");

	/**
	 * Limits the number per task, so that arriving texts do not wait behind all stops.
	 */
	private static final int AT_ONCE = 64;

	private final Deque<Stop> waiting = new ArrayDeque<>();

	private boolean underWay;

	/** Adds a stop; returns whether the caller has to create the task. */
	synchronized boolean add(Stop stop) {
		this.waiting.add(stop);
		boolean first = !this.underWay;
		this.underWay = true;
		return first;
	}

	/** Takes some. */
	synchronized List<Stop> next() {
		List<Stop> some = new ArrayList<>();
		while (some.size() < AT_ONCE && !this.waiting.isEmpty()) {
			some.add(this.waiting.remove());
		}
		return some;
	}

	/** Called when a task has ended; returns whether another one is required. */
	synchronized boolean ended() {
		this.underWay = !this.waiting.isEmpty();
		return this.underWay;
	}

	/** Called when the task was rejected. */
	void fail(Throwable reason) {
		List<Stop> all;
		synchronized (this) {
			all = List.copyOf(this.waiting);
			this.waiting.clear();
			this.underWay = false;
		}
		all.forEach((stop) -> stop.done().completeExceptionally(reason));
	}

	/**
	 * Wish to stop.
	 *
	 * @param known the position after which texts may have been missed
	 * @param action called at the place
	 * @param done ends when it is done
	 */
	record Stop(@Nullable String known, Function<BroadcastPlace, CompletionStage<?>> action,
			CompletableFuture<@Nullable Void> done) {

		void at(BroadcastPlace place) {
			try {
				this.action.apply(place).whenComplete((result, failure) -> this.done.complete(null));
			}
			catch (RuntimeException ex) {
				FAILURES.warn(String.valueOf(place.at()), ex);
				this.done.complete(null);
			}
		}

	}

}
