package dev.sluice.batch;

/**
 * Strategy for items pushed to a full slot. The bound counts the items of the slot that
 * wait for a batch, not those in flight.
 *
 * @since 0.1.0
 */
public enum SlotOverflow {

	/**
	 * The newcomer's future fails with {@link SlotFullException}.
	 */
	REJECT,

	/**
	 * The future of the oldest waiting item fails with {@link ItemDroppedException} and
	 * the newcomer takes its place.
	 */
	DROP_OLDEST,

	/**
	 * The newcomer's future fails with {@link ItemDroppedException}.
	 */
	DROP_NEWEST,

	/**
	 * The pushing thread waits for a place, first come first served, up to the time set
	 * by {@link BatchConsumer.Builder#maxBlock}; then, at once when the slot's own pump
	 * pushes, and when the thread is interrupted, it is as with {@link #REJECT}.
	 */
	BLOCK

}
