package dev.sluice.batch;

/**
 * State of one slot at one instant, and its totals since the consumer was built; values
 * may be stale when read.
 *
 * @param slot the slot's number
 * @param waiting how many items waited for a batch
 * @param inFlight how many batches were with the pump or waited to be retried
 * @param batches how many batches have completed
 * @param completed how many items were in those
 * @param failed how many items were in batches that were given up
 * @param retries how many times a batch that failed was to be given to the pump again
 * @param rejected how many items were rejected because the slot was full
 * @param dropped how many items were dropped by overflow or discarded
 * @since 0.1.0
 */
public record SlotSnapshot(int slot, int waiting, int inFlight, long batches, long completed, long failed, long retries,
		long rejected, long dropped) {

}
