package dev.sluice.throttle;

import java.util.OptionalLong;

import dev.sluice.throttle.internal.argument.Checks;

/**
 * Permit of an admitted call. It belongs to its owner and not to a thread: any thread may
 * close it, and only the first call of {@link #close()} has an effect. A permit of a rate
 * limit is spent when it is granted; closing it has no effect.
 *
 * @since 0.1.0
 */
public interface Permit extends AutoCloseable {

	/**
	 * Releases the permit. The permit is granted to the next waiter before this method
	 * returns; the future of the waiter is completed on another thread. A second call has
	 * no effect. Never blocks.
	 */
	@Override
	void close();

	/**
	 * Returns a number that increases with each grant of the resource. External storage
	 * can use it to reject writes of a holder whose lease has expired.
	 * @return the token of a mutex or semaphore; empty for a rate limit, and in the
	 * default implementation
	 */
	default OptionalLong fencingToken() {
		return OptionalLong.empty();
	}

	/**
	 * Adds a callback that runs if the permit is lost before it is closed, because its
	 * lease in a distributed store has expired. Permits in memory are never lost. The
	 * default implementation ignores the callback.
	 * @param action the callback, which runs once, and immediately if the permit is
	 * already lost
	 */
	default void onLost(Runnable action) {
		Checks.notNull("action", action);
	}

	/**
	 * Returns the permit of a call that holds no permits, as they are spent or none were
	 * needed.
	 * @return a shared instance whose {@code close} has no effect
	 */
	static Permit spent() {
		return SpentPermit.INSTANCE;
	}

}
