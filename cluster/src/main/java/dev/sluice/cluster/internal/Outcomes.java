package dev.sluice.cluster.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of requests that this node has run for others, so that no request runs twice;
 * locks itself.
 */
final class Outcomes {

	/*
	 * Invariant: a number that was begun is never begun again. Answers are kept for a
	 * limited time and up to a limited number. The highest dropped number of each node is
	 * its floor; requests up to the floor are answered as forgotten and never run again.
	 * Requests that are still running are never dropped. Floors of nodes are dropped when
	 * there are too many, the one first that has not risen for longest; a name is never
	 * used again by another node.
	 *
	 * Attacked by OutcomesTests.
	 */

	private static final int MAX_FLOORS = 1000;

	private final String node;

	private final NanoClock clock;

	private final long keptNanos;

	private final int most;

	private final LinkedHashMap<Key, Kept> done = new LinkedHashMap<>();

	private final Map<Key, Integer> pending = new HashMap<>();

	private final LinkedHashMap<String, Long> floors = new LinkedHashMap<>();

	Outcomes(String node, NanoClock clock, Duration kept, int most) {
		this.node = node;
		this.clock = clock;
		this.keptNanos = kept.toNanos();
		this.most = most;
	}

	/** Begins a request, unless it was begun before. */
	synchronized boolean begin(String origin, long number) {
		Key key = new Key(origin, number);
		if (this.done.containsKey(key) || this.pending.containsKey(key) || isBelowFloor(key)) {
			return false;
		}
		this.pending.put(key, 0);
		return true;
	}

	/** Sets the number of sessions of a request. */
	synchronized void count(String origin, long number, int count) {
		this.pending.replace(new Key(origin, number), count);
	}

	/** Keeps the final answer of a request that was begun. */
	synchronized void end(String origin, Answer answer) {
		Key key = new Key(origin, answer.number());
		this.pending.remove(key);
		this.done.put(key, new Kept(answer, this.clock.nanoTime()));
		Iterator<Map.Entry<Key, Kept>> oldest = this.done.entrySet().iterator();
		while (oldest.hasNext()) {
			Map.Entry<Key, Kept> entry = oldest.next();
			if (this.done.size() <= this.most && this.clock.nanoTime() - entry.getValue().since() < this.keptNanos) {
				return;
			}
			oldest.remove();
			raiseFloor(entry.getKey());
		}
	}

	private void raiseFloor(Key key) {
		Long floor = this.floors.remove(key.origin());
		this.floors.put(key.origin(), (floor != null) ? Math.max(floor, key.number()) : key.number());
		if (this.floors.size() > MAX_FLOORS) {
			this.floors.remove(this.floors.keySet().iterator().next());
		}
	}

	/** Returns how far something is. */
	synchronized Answer find(String origin, long number) {
		Key key = new Key(origin, number);
		Kept kept = this.done.get(key);
		if (kept != null) {
			return kept.answer();
		}
		Integer count = this.pending.get(key);
		if (count != null) {
			return Answer.of(this.node, number, Answer.State.PENDING, count);
		}
		return Answer.of(this.node, number, isBelowFloor(key) ? Answer.State.FORGOTTEN : Answer.State.UNHEARD, 0);
	}

	private boolean isBelowFloor(Key key) {
		@Nullable Long floor = this.floors.get(key.origin());
		return floor != null && key.number() <= floor;
	}

	/** Number that a node has given to a message. */
	private record Key(String origin, long number) {
	}

	/** An answer, and the time since which it is kept. */
	private record Kept(Answer answer, long since) {
	}

}
