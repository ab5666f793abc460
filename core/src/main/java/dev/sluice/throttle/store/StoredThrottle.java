package dev.sluice.throttle.store;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottledException;

/**
 * Limit kept by a {@link ThrottleStore}. The manager has checked all arguments; it counts
 * no keys, keeps no line and no time for this limit, and turns rejections into admissions
 * in a dry run. All else is the store's: the bound over all nodes, the line (first come,
 * first served), owners, leases and their renewal, fencing tokens, and what happens while
 * it cannot be reached, which never is that a caller hangs.
 * <p>
 * A store that decides without being asked, because its failure policy says so, either
 * admits, or rejects with {@link Decision.Reason#STORE}. A rejection by a rate always
 * tells when to retry.
 * <p>
 * Implementations must be safe for use by many threads. Futures may be completed on any
 * thread, an event loop too, as the manager hands them on to its completion executor.
 *
 * @since 0.1.0
 */
public interface StoredThrottle {

	/**
	 * Returns the limit as it stands, whoever changed it last.
	 * @return the current limit
	 */
	Limit limit();

	/**
	 * Returns the options as they stand, whoever changed them last.
	 * @return the current options
	 */
	LimitOptions options();

	/**
	 * Decides on a call at once; blocks for no longer than one command may take. The
	 * request's {@code maxWait} does not matter.
	 * @param request what is asked for, of this limit
	 * @return the decision, with a permit of the store's own if admitted
	 * @throws IllegalStateException on a thread that must not block, such as an event
	 * loop, or if the limit was removed
	 */
	Decision tryAcquire(AcquireRequest request);

	/**
	 * Decides on a call without blocking, waiting in line for as long as the request
	 * says. With a {@code maxWait} of zero this is {@link #tryAcquire} without blocking.
	 * Cancelling the future leaves the line; should the permit have been granted
	 * meanwhile, the future completes with it all the same, or the store undoes the
	 * grant.
	 * @param request what is asked for, of this limit
	 * @return the permit to come, or a failure by {@link ThrottledException}
	 * @throws IllegalStateException if the limit was removed
	 */
	CompletableFuture<Permit> acquire(AcquireRequest request);

	/**
	 * Undoes a grant whose caller is gone or which belonged to a call that was rejected
	 * elsewhere: exactly what was granted, never more, so that no bound suffers. Returns
	 * without waiting for it to be done.
	 * @param request what was asked for
	 * @param permit what was granted for it
	 */
	void refund(AcquireRequest request, Permit permit);

	/**
	 * Releases all that an owner holds, wherever it was acquired; blocks for no longer
	 * than one command may take.
	 * @param key the key it is held of
	 * @param owner the owner's name
	 * @return whether anything was held
	 * @throws IllegalStateException on a thread that must not block
	 */
	boolean release(String key, String owner);

	/**
	 * Releases all that an owner holds now, wherever it was acquired. Must not block, on
	 * any thread. What cannot be sent now is repeated until it has arrived or the lease
	 * has ended; a repetition must not release what the owner has acquired since.
	 * @param key the key it is held of
	 * @param owner the owner's name
	 * @return whether anything was held, or a failure if that is not known once the lease
	 * has ended
	 */
	CompletableFuture<Boolean> releaseAsync(String key, String owner);

	/**
	 * Forgets what a key has used of a rate.
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
	 * Looks at the whole limit.
	 * @param top the most keys and the most holders to list
	 * @return counts over all nodes
	 */
	ThrottleSnapshot snapshot(int top);

	/**
	 * Changes the limit for all nodes, without minting permits, and judges those in line
	 * again. Does nothing if these are the terms already.
	 * @param limit what it grants from now on, of the same kind: a rate or held
	 * @param options the options beside the limit
	 * @return {@code false} if the limit was removed, by whatever node, so that it must
	 * be opened again
	 */
	boolean change(Limit limit, LimitOptions options);

	/**
	 * Removes the limit for all nodes and fails those in line.
	 * @throws IllegalStateException while any of its permits is held
	 */
	void remove();

	/**
	 * Returns whether the limit was removed, as far as this node has heard. Must not
	 * block.
	 * @return whether calls throw, so that the limit must be opened or found again
	 */
	default boolean isRemoved() {
		return false;
	}

}
