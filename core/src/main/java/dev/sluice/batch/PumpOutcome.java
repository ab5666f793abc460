package dev.sluice.batch;

/**
 * Outcome of one call of the pump.
 *
 * @since 0.1.0
 */
public enum PumpOutcome {

	/**
	 * The stage ended normally.
	 */
	COMPLETED,

	/**
	 * It failed, and the batch will be given to the pump again.
	 */
	RETRIED,

	/**
	 * It failed, and the batch is given up.
	 */
	FAILED

}
