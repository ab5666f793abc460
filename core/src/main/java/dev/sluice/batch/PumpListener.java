package dev.sluice.batch;

/**
 * Callback for calls of the pump, for example to record metrics. With a listener the
 * consumer reads its clock twice for each batch; without one, never.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface PumpListener {

	/**
	 * Called once for each call of the pump, after its stage has ended and before the
	 * futures of the items end, by the thread that ended the stage and without a lock. It
	 * should return quickly. An exception is caught and counted
	 * ({@link BatchSnapshot#callbackFailures()}) and has no other effect.
	 * @param slot the slot of the batch
	 * @param items how many items the batch has
	 * @param outcome how the call ended
	 * @param pumpNanos how long it took, its stage included, in nanoseconds
	 */
	void pumpEnded(int slot, int items, PumpOutcome outcome, long pumpNanos);

}
