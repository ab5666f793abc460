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
 * Limit kept by a {@link ThrottleStore}. The manager checks all arguments and turns
 * rejections into admissions in a dry run. It counts no keys, keeps no waiting line and
 * measures no time for this limit. The store does the rest: the limit over all nodes, the
 * waiting line (first come, first served), owners, leases and their renewal, fencing
 * tokens, and the behaviour while the store is unavailable. A caller must never hang.
 * <p>
 * While the store is unavailable and its failure policy decides, a call is either
 * admitted or rejected with {@link Decision.Reason#STORE}. A rejection by a rate limit
 * always has a retry time.
 * <p>
 * Implementations must be thread-safe. Futures may be completed on any thread, including
 * an event loop, as the manager switches to its completion executor.
 *
 * @since 0.1.0
 */
public interface StoredThrottle {

	/**
	 * Returns the limit with the latest change of any node.
	 * @return the current limit
	 */
	Limit limit();

	/**
	 * Returns the options with the latest change of any node.
	 * @return the current options
	 */
	LimitOptions options();

	/**
	 * Decides on a call immediately. Blocks at most for the time-out of one command. The
	 * {@code maxWait} of the request is ignored.
	 * @param request the request for permits of this limit
	 * @return the decision, with a permit of the store if admitted
	 * @throws IllegalStateException on a thread that must not block, such as an event
	 * loop, or if the limit was removed
	 */
	Decision tryAcquire(AcquireRequest request);

	/**
	 * Decides on a call without blocking. The call waits in line for at most the
	 * {@code maxWait} of the request. With a {@code maxWait} of zero this is
	 * {@link #tryAcquire} without blocking. Cancelling the future removes the call from
	 * the line. If the permit was granted before the cancellation takes effect, either
	 * the future completes with it or the store undoes the grant.
	 * @param request the request for permits of this limit
	 * @return a future that completes with the permit, or fails with a
	 * {@link ThrottledException}
	 * @throws IllegalStateException if the limit was removed
	 */
	CompletableFuture<Permit> acquire(AcquireRequest request);

	/**
	 * Undoes a grant whose caller has left, or whose call was rejected by another limit.
	 * Returns exactly the granted permits and never more, so that the limit holds. Does
	 * not wait for completion.
	 * @param request the request
	 * @param permit the permit granted for the request
	 */
	void refund(AcquireRequest request, Permit permit);

	/**
	 * Releases all permits of an owner, on whichever node they were acquired. Blocks at
	 * most for the time-out of one command.
	 * @param key the key of the permits
	 * @param owner the owner's name
	 * @return whether anything was held
	 * @throws IllegalStateException on a thread that must not block
	 */
	boolean release(String key, String owner);

	/**
	 * Releases all permits that an owner holds at the time of the call, on whichever node
	 * they were acquired. Must not block, on any thread. If the release cannot be sent,
	 * it is repeated until it arrives or the lease expires. A repetition must not release
	 * permits that the owner acquired later.
	 * @param key the key of the permits
	 * @param owner the owner's name
	 * @return whether any permits were held; the future fails if this is still unknown
	 * when the lease expires
	 */
	CompletableFuture<Boolean> releaseAsync(String key, String owner);

	/**
	 * Resets the usage of a key of a rate limit.
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
	 * Returns a snapshot of the whole limit.
	 * @param top the maximum number of keys and of holders to list
	 * @return the counts of all nodes
	 */
	ThrottleSnapshot snapshot(int top);

	/**
	 * Changes the limit for all nodes and re-evaluates its waiters. A change never mints
	 * permits. If the limit and the options are unchanged, the call has no effect.
	 * @param limit the new limit, of the same kind: a rate limit or a concurrency limit
	 * @param options the new options
	 * @return {@code false} if the limit was removed, by any node, so that it must be
	 * opened again
	 */
	boolean change(Limit limit, LimitOptions options);

	/**
	 * Removes the limit for all nodes and fails its waiters.
	 * @throws IllegalStateException while any of its permits is held
	 */
	void remove();

	/**
	 * Returns whether this node has been notified of the limit's removal. Must not block.
	 * @return {@code true} if calls throw, so that the limit must be opened or found
	 * again
	 */
	default boolean isRemoved() {
		return false;
	}

}
