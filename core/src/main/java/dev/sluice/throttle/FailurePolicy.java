package dev.sluice.throttle;

/**
 * Strategy for calls to a limit while the store shared by all nodes is unavailable or too
 * slow.
 *
 * @since 0.1.0
 */
public enum FailurePolicy {

	/** They are rejected, with {@link Decision.Reason#STORE}: the bound holds. */
	CLOSED,

	/** They are admitted: nothing is limited. */
	OPEN,

	/** Each node limits for itself, by its share: the limit divided by the nodes. */
	LOCAL

}
