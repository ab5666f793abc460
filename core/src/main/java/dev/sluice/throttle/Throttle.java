package dev.sluice.throttle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Named limit, partitioned by key. {@code ""} is the only key of an unpartitioned limit.
 * A key is any text. A key longer than 256 characters is replaced, also in all output, by
 * its first 64 characters, an ellipsis and the SHA-256 digest of the whole key in
 * hexadecimal digits. Implementations are thread-safe. After
 * {@link ThrottlingManager#remove}, each method that acquires throws
 * {@link IllegalStateException}.
 *
 * @since 0.1.0
 */
public interface Throttle {

	/**
	 * Returns the name.
	 * @return the resource
	 */
	String resource();

	/**
	 * Returns the limit with its latest change.
	 * @return the current limit
	 */
	Limit limit();

	/**
	 * Returns the options with their latest change.
	 * @return the current options
	 */
	LimitOptions options();

	/**
	 * Tries to acquire one permit of the only key. Never waits.
	 * @return the decision
	 */
	default Decision tryAcquire() {
		return tryAcquire("", 1);
	}

	/**
	 * Tries to acquire one permit. Never waits.
	 * @param key any text
	 * @return the decision
	 */
	default Decision tryAcquire(String key) {
		return tryAcquire(key, 1);
	}

	/**
	 * Tries to acquire permits, all or none, for a new owner. Never waits. An admitted
	 * call to a rate limit allocates no objects.
	 * @param key any text
	 * @param permits the number of permits, from 1 to the maximum of the limit
	 * @return the decision
	 * @throws IllegalArgumentException if {@code permits} is out of range
	 */
	Decision tryAcquire(String key, int permits);

	/**
	 * Tries to acquire permits of a rate limit, all or none. Never waits, and allocates
	 * no objects, whether the call is admitted or rejected.
	 * @param key any text
	 * @param permits the number of permits, from 1 to the maximum of the limit
	 * @return 0 if admitted, or the nanoseconds after which the same call would be
	 * admitted if no other call arrived
	 * @throws IllegalArgumentException if {@code permits} is out of range
	 * @throws UnsupportedOperationException if this throttle is a mutex or semaphore, as
	 * the caller would have no permit to close
	 */
	long tryAcquireNanos(String key, int permits);

	/**
	 * Acquires permits for a new owner. If no permits are available, the call waits in
	 * line, first come, first served, without blocking a thread. Cancelling the future
	 * removes the call from the line.
	 * @param key any text
	 * @param permits the number of permits, from 1 to the maximum of the limit
	 * @param maxWait the maximum time to wait; with zero, this is the asynchronous
	 * {@link #tryAcquire(String, int)}
	 * @return a future that completes with the permit, on the manager's completion
	 * executor. It fails with a {@link ThrottledException} immediately if the line is
	 * full or the wait would exceed {@code maxWait}, or when {@code maxWait} has passed
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	CompletableFuture<Permit> acquire(String key, int permits, Duration maxWait);

	/**
	 * Releases all permits of an owner. With a store, this method blocks at most for the
	 * time-out of one command; {@link #releaseAsync} never blocks.
	 * @param key the key of the permits
	 * @param owner the owner's name
	 * @return whether the owner held any permits
	 * @throws RuntimeException if the store is unavailable, or if the calling thread must
	 * not block, such as an event loop
	 */
	boolean release(String key, String owner);

	/**
	 * Releases all permits of an owner. Never blocks, and can be called on any thread,
	 * including an event loop. If the store is unavailable, the release is repeated until
	 * the lease of the permits expires. It applies to the permits that the owner holds at
	 * the time of the call; permits acquired later are kept.
	 * @param key the key of the permits
	 * @param owner the owner's name
	 * @return a future of whether the owner held any permits, completed on the manager's
	 * completion executor; it fails only if the store did not answer within the lease
	 */
	CompletableFuture<Boolean> releaseAsync(String key, String owner);

	/**
	 * Resets the usage of a key of a rate limit. Held permits and waiting calls are not
	 * affected.
	 * @param key the key
	 * @return whether the key had any usage
	 */
	boolean forget(String key);

	/**
	 * Returns the state of one key, without creating the key.
	 * @param key the key
	 * @return its state; for an unknown key, the state of an unused one
	 */
	KeyState state(String key);

	/**
	 * Returns a snapshot of the whole throttle, in time proportional to its keys.
	 * @param top the maximum number of keys and of holders to list
	 * @return the counts since the throttle was defined
	 * @throws IllegalArgumentException if {@code top} is negative
	 */
	ThrottleSnapshot snapshot(int top);

}
