package dev.sluice.websocket.cluster.internal.feed;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Counts of the messages of each topic wait for its turn: no more than half of what may
 * wait, so that members can join and leave.
 */
public final class WaitingMessages {

	/** Half of the capacity of a queue. */
	public static final int MOST = 512;

	private final ConcurrentMap<String, Integer> counts = new ConcurrentHashMap<>();

	/** Counts a message, if there is room for it. */
	public boolean tryAdd(String topic) {
		return this.counts.merge(topic, 1, Integer::sum) <= MOST || !remove(topic);
	}

	/** A message that was counted waits no more; returns {@code true}. */
	public boolean remove(String topic) {
		this.counts.computeIfPresent(topic, (name, count) -> (count > 1) ? count - 1 : null);
		return true;
	}

}
