package dev.sluice.throttle;

/**
 * Callback for decisions and releases, for example to record metrics. With a listener, a
 * call that waits or holds permits reads the clock one more time; without listeners,
 * calls have no extra cost.
 * <p>
 * Runs on the thread that made the decision, or on the thread that completes the future
 * of a waiting call, without any lock held. Invocations on several threads may overlap
 * and arrive in any order. A listener should be fast and must not block. Its exceptions
 * are caught and counted ({@link ThrottlingManager#listenerFailures()}) and do not affect
 * the decision. With a store, the listeners of each node are notified of the calls on
 * that node.
 *
 * @since 0.1.0
 */
public interface ThrottleListener {

	/**
	 * Called when a call was granted permits; for several limits at once, called for each
	 * of them. Also possible for a call that is cancelled at the moment of its grant.
	 * @param resource the throttle's name
	 * @param key the key, which may contain personal data and should not be used as a
	 * metrics tag
	 * @param permits the number of permits
	 * @param waitNanos the time that the call waited in line, in nanoseconds; 0 if it did
	 * not wait
	 */
	default void admitted(String resource, String key, int permits, long waitNanos) {
	}

	/**
	 * Called when a call was rejected, or would have been rejected without the dry run.
	 * @param resource the name of the throttle that rejected the call
	 * @param key the key, which may contain personal data and should not be used as a
	 * metrics tag
	 * @param permits the number of requested permits
	 * @param reason the reason
	 * @param waitNanos the time that the call waited in line, in nanoseconds; 0 if it did
	 * not wait
	 */
	default void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
	}

	/**
	 * Called when an owner's permits of a mutex or semaphore were released; once for all
	 * entries of the owner, with the last one.
	 * @param resource the throttle's name
	 * @param key the key, which may contain personal data and should not be used as a
	 * metrics tag
	 * @param permits the number of permits
	 * @param heldNanos the time that the permits were held, in nanoseconds
	 */
	default void released(String resource, String key, int permits, long heldNanos) {
	}

}
