package dev.sluice.batch;

/**
 * Callback for calls of the pump, for example to record metrics. Setting one makes the
 * consumer read its clock twice a batch; without one, nothing is paid.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PumpListener {

	/**
	 * Called once for each call of the pump, when its stage has ended and before the
	 * futures of the items do, by the thread that ended it; no lock is held. Should be
	 * quick. What it throws is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}) and alters nothing.
	 * @param slot the slot of the batch
	 * @param items how many items the batch has
	 * @param outcome how the call ended
	 * @param pumpNanos how long it took, its stage included, in nanoseconds
	 */
	void pumpEnded(int slot, int items, PumpOutcome outcome, long pumpNanos);

}
