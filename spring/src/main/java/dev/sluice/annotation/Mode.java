package dev.sluice.annotation;

/**
 * Strategy for holding the permits of a call.
 *
 * @since 0.1.0
 */
public enum Mode {

	/** The call holds the permit from its start to its end. */
	ACQUIRE_AND_RELEASE,

	/**
	 * The call acquires the permit and leaves it with its owner, unless it fails. A call
	 * of another method, with {@link #RELEASE}, releases it.
	 */
	ACQUIRE,

	/**
	 * The call acquires no permits. When it has ended, with any outcome, all permits of
	 * its owner are released.
	 */
	RELEASE

}
