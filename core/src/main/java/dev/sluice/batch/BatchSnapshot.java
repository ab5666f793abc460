package dev.sluice.batch;

import java.util.List;

/**
 * State of a consumer at one instant; values may be stale when read.
 *
 * @param running whether it had been started and had not yet completed
 * @param slots its slots, in order
 * @param callbackFailures how often its listener or error handler has thrown
 * @since 0.1.0
 */
public record BatchSnapshot(boolean running, List<SlotSnapshot> slots, long callbackFailures) {

	/**
	 * Copies the list.
	 */
	public BatchSnapshot {
		slots = List.copyOf(slots);
	}

	/**
	 * Returns how many items waited, in all slots together.
	 * @return the number of waiting items
	 */
	public long waiting() {
		return this.slots.stream().mapToLong(SlotSnapshot::waiting).sum();
	}

	/**
	 * Returns how many batches were in flight, of all slots together.
	 * @return the number of batches
	 */
	public int inFlight() {
		return this.slots.stream().mapToInt(SlotSnapshot::inFlight).sum();
	}

}
