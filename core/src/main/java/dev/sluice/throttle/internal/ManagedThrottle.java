package dev.sluice.throttle.internal;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;

/** Throttle with the operations of its manager. */
public interface ManagedThrottle extends Throttle {

	/** Tries to acquire the permits of a request immediately. */
	Decision tryAcquire(AcquireRequest request);

	/** Acquires the permits of a request, waiting in line. */
	CompletableFuture<Permit> acquire(AcquireRequest request);

	/** Returns whether the limit is in a store instead of the memory of this node. */
	boolean isStored();

	/** Throws if the number of permits exceeds the maximum of the limit. */
	void checkPermits(int permits);

	/** Changes the throttle; returns {@code false} if it was removed. */
	boolean update(Limit limit, LimitOptions options);

	/**
	 * Removes the throttle.
	 * @return {@code false} if it was already removed
	 * @throws IllegalStateException if permits are held
	 */
	boolean remove();

	/** Releases all permits of an owner; that it holds none is not logged. */
	default boolean releaseUnreported(String key, String owner) {
		return release(key, owner);
	}

	/**
	 * Rejects the waiting calls, and from then on each call that would have to wait.
	 */
	void closeLines();

	/** Throws if a rate limit would become a concurrency limit, or the reverse. */
	static void checkKind(String resource, Limit from, Limit to) {
		if (to.isHeld() != from.isHeld()) {
			throw new IllegalArgumentException("Throttle '" + resource + "' cannot change from " + from.type() + " to "
					+ to.type() + " while it is defined; remove it first");
		}
	}

}
