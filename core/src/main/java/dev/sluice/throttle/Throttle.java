package dev.sluice.throttle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Named limit, partitioned by key; {@code ""} is the only key of an unpartitioned one. A
 * key is any text. One above 256 characters is replaced, wherever it is shown too, by its
 * first 64 characters, an ellipsis and the SHA-256 digest of all of it, in hexadecimal
 * digits. Safe for use by many threads. After {@link ThrottlingManager#remove} every
 * method that acquires throws {@link IllegalStateException}.
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
	 * Returns the limit as it stands.
	 * @return the current limit
	 */
	Limit limit();

	/**
	 * Returns the options as they stand.
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
	 * Tries to acquire permits, all or none, for a fresh owner. Never waits; an admitted
	 * call to a rate allocates nothing.
	 * @param key any text
	 * @param permits at least 1, and no more than the limit could ever grant
	 * @return the decision
	 * @throws IllegalArgumentException if {@code permits} is out of range
	 */
	Decision tryAcquire(String key, int permits);

	/**
	 * Tries to acquire permits of a rate, all or none. Never waits, and allocates nothing
	 * either way.
	 * @param key any text
	 * @param permits at least 1, and no more than the limit could ever grant
	 * @return 0 if admitted, or the nanoseconds after which the same call would be, if
	 * nobody else came
	 * @throws IllegalArgumentException if {@code permits} is out of range
	 * @throws UnsupportedOperationException if permits of this throttle are held, as
	 * there would be nothing to close
	 */
	long tryAcquireNanos(String key, int permits);

	/**
	 * Takes permits for a fresh owner, waiting in line for them, first come first served,
	 * without a thread. Cancelling the future leaves the line.
	 * @param key any text
	 * @param permits at least 1, and no more than the limit could ever grant
	 * @param maxWait how long to wait; zero makes this the asynchronous
	 * {@link #tryAcquire(String, int)}
	 * @return the permit to come, completed on the manager's completion executor; or a
	 * failure by {@link ThrottledException}: at once if the line is full or
	 * {@code maxWait} cannot suffice, and when it has passed
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	CompletableFuture<Permit> acquire(String key, int permits, Duration maxWait);

	/**
	 * Releases all that an owner holds, and returns whether that was anything. Over a
	 * store this blocks for as long as one command may take; {@link #releaseAsync} never
	 * does.
	 * @param key the key it is held of
	 * @param owner the owner's name
	 * @return whether anything was held
	 * @throws RuntimeException if the store cannot be asked, or if this is a thread that
	 * must not block, such as an event loop
	 */
	boolean release(String key, String owner);

	/**
	 * Releases all that an owner holds. Never blocks, and can be called on any thread, an
	 * event loop too. Over a store that cannot be reached now, the release is repeated
	 * until the lease of what is held has ended by itself. It releases what the owner
	 * held when this method was called; what the owner acquires later stays.
	 * @param key the key it is held of
	 * @param owner the owner's name
	 * @return whether anything was held, to come on the manager's completion executor;
	 * fails only if the store did not answer within the lease
	 */
	CompletableFuture<Boolean> releaseAsync(String key, String owner);

	/**
	 * Forgets what a key has used of a rate, so that it may start afresh. Permits that
	 * are held and calls in line stay.
	 * @param key the key
	 * @return whether there was anything to forget
	 */
	boolean forget(String key);

	/**
	 * Looks at one key; creates nothing.
	 * @param key the key
	 * @return its state, that of an unused key if it is not known
	 */
	KeyState state(String key);

	/**
	 * Looks at the whole throttle; takes time in proportion to its keys.
	 * @param top the most keys and the most holders to list
	 * @return counts since the throttle was defined
	 * @throws IllegalArgumentException if {@code top} is negative
	 */
	ThrottleSnapshot snapshot(int top);

}
