package dev.sluice.throttle;

/**
 * Callback for decisions and releases, for example to record metrics. Without one,
 * nothing is paid; with one, a call that waits or holds reads the clock once more.
 * <p>
 * Called by the thread that made the decision, or that is about to complete the future of
 * a call that has waited; no guard is held. Calls on several threads may overlap and come
 * in any order. A listener should be quick and must not block; what it throws is caught
 * and counted ({@link ThrottlingManager#listenerFailures()}) and alters nothing. Over a
 * store each node's listener is called for the calls on that node.
 *
 * @since 0.1.0
 */
public interface ThrottleListener {

	/**
	 * A call was granted permits; for several limits at once, called for each. A call
	 * that is cancelled in the very moment of its grant may be notified, too.
	 * @param resource the throttle's name
	 * @param key the key, which may be personal: no tag for metrics
	 * @param permits how many
	 * @param waitNanos how long the call stood in line, in nanoseconds; 0 if it did not
	 */
	default void admitted(String resource, String key, int permits, long waitNanos) {
	}

	/**
	 * A call was rejected, or in a dry run would have been.
	 * @param resource the name of the throttle that rejected it
	 * @param key the key, which may be personal: no tag for metrics
	 * @param permits how many it asked for
	 * @param reason why
	 * @param waitNanos how long the call stood in line, in nanoseconds; 0 if it did not
	 */
	default void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
	}

	/**
	 * An owner's permits of a mutex or semaphore came back; once for all entries of the
	 * owner, with the last one.
	 * @param resource the throttle's name
	 * @param key the key, which may be personal: no tag for metrics
	 * @param permits how many
	 * @param heldNanos how long they were held, in nanoseconds
	 */
	default void released(String resource, String key, int permits, long heldNanos) {
	}

}
