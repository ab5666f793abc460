package dev.sluice.throttle.internal;

import java.util.concurrent.CompletableFuture;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;

/** Throttle as seen by its manager. */
public interface ManagedThrottle extends Throttle {

	/** Takes what a request asks for, at once or not at all. */
	Decision tryAcquire(AcquireRequest request);

	/** Takes what a request asks for, waiting in line for it. */
	CompletableFuture<Permit> acquire(AcquireRequest request);

	/** Returns whether the limit is in a store, and not in the memory of this node. */
	boolean isStored();

	/** Rejects a number of permits that could never be granted. */
	void checkPermits(int permits);

	/** Changes the throttle; returns {@code false} if it was removed. */
	boolean update(Limit limit, LimitOptions options);

	/**
	 * Ends the throttle.
	 * @return whether it had not ended before
	 * @throws IllegalStateException if permits are held
	 */
	boolean remove();

	/**
	 * Rejects the calls that wait in line, and from then on each that would have to wait.
	 */
	void closeLines();

	/** Rejects to turn a rate into what is held, or the other way round. */
	static void checkKind(String resource, Limit from, Limit to) {
		if (to.isHeld() != from.isHeld()) {
			throw new IllegalArgumentException("Throttle '" + resource + "' cannot change from " + from.type() + " to "
					+ to.type() + " while it is defined; remove it first");
		}
	}

}
