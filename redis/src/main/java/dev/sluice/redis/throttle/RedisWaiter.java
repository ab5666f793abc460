package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.internal.failover.NodeCounts;
import org.jspecify.annotations.Nullable;

/** Call of this node that is in a waiting line or about to enter it. */
public final class RedisWaiter extends CompletableFuture<Permit> {

	/*
	 * "place" is set once, when Redis has confirmed it. "unconfirmed" is guarded by the
	 * key of the waiter. "left" is written once; it is absent while the waiter is being
	 * added, and a store that closes then does not wait for it. Attacked by
	 * RedisLineTests and RedisCloseTests.
	 */

	private final AcquireRequest request;

	private final String member;

	private final long since = System.nanoTime();

	/** Guarded by its key. */
	private boolean unconfirmed;

	/** Place in the line, or 0 until Redis has confirmed it. */
	private volatile long place;

	/** Completes when the member in Redis is removed or granted. */
	private volatile @Nullable CompletableFuture<Permit> left;

	public RedisWaiter(AcquireRequest request, String member) {
		this.request = request;
		this.member = member;
	}

	/** Returns the member of the waiting line in Redis. */
	public String member() {
		return this.member;
	}

	public int permits() {
		return this.request.permits();
	}

	/** Returns a time by this node's clock that precedes the entry into the line. */
	public long since() {
		return this.since;
	}

	/** Returns whether Redis has confirmed that it is in the line. */
	public boolean isStanding() {
		return this.place != 0;
	}

	/** Returns the place in the line, or 0 if Redis has not confirmed it. */
	public long place() {
		return this.place;
	}

	/** Records the place that Redis has confirmed. */
	public void standing(long place) {
		this.place = place;
	}

	/** Returns whether it may have a grant that must be confirmed first. */
	public boolean isUnconfirmed() {
		return this.unconfirmed;
	}

	public void unconfirmed(boolean unconfirmed) {
		this.unconfirmed = unconfirmed;
	}

	/** Ends the wait by a rejection, which is counted unless Redis has failed. */
	public void reject(NodeCounts counts, @Nullable Duration retryAfter, Decision.Reason reason) {
		if (completeExceptionally(
				new ThrottledException(this.request.resource(), this.request.key(), retryAfter, reason))
				&& reason != Decision.Reason.STORE) {
			counts.rejected(this.request.key());
		}
	}

	/** Sets the timer task that ends the wait; it is cancelled when the wait ends. */
	public void endBy(Future<?> deadline) {
		whenComplete((permit, failure) -> deadline.cancel(false));
	}

	/** Sets the action that removes the member when the wait ends, on any thread. */
	public void leaveBy(BiConsumer<? super Permit, ? super Throwable> leave) {
		this.left = whenComplete(leave);
	}

	/** Waits until the members of the waiters that have ended are removed. */
	public static void awaitLeft(List<RedisWaiter> waiters, Duration atMost) {
		CompletableFuture<?>[] left = waiters.stream()
			.map((waiter) -> waiter.left)
			.filter(Objects::nonNull)
			.toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(left)
			.completeOnTimeout(null, atMost.toNanos(), TimeUnit.NANOSECONDS)
			.exceptionally((failure) -> null)
			.join();
	}

}
