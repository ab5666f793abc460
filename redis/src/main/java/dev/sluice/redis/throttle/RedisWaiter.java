package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import dev.sluice.throttle.Permit;
import org.jspecify.annotations.Nullable;

/** A call of this node that stands in line, or is on its way there. */
public final class RedisWaiter extends CompletableFuture<Permit> {

	/** Its place in line, as Redis knows it. */
	public final String member;

	public final int permits;

	/** When, by this node's clock, it was not in line yet. */
	public final long since = System.nanoTime();

	/** The token of a grant whose message came late, or 0; guarded by its key. */
	public long unconfirmed;

	/** Whether Redis has said that it stands in line. */
	public volatile boolean standing;

	/** Ends when the place in line was seen to. */
	private volatile @Nullable CompletableFuture<Permit> left;

	public RedisWaiter(String member, int permits) {
		this.member = member;
		this.permits = permits;
	}

	/** Sets what ends the wait, which is called off when the wait ends by itself. */
	public void endBy(Future<?> deadline) {
		whenComplete((permit, failure) -> deadline.cancel(false));
	}

	/** Sets what sees to the place when the wait ends, on the thread that gets to it. */
	public void leaveBy(BiConsumer<? super Permit, ? super Throwable> leave) {
		this.left = whenComplete(leave);
	}

	/** Waits until the places of those whose waits have ended were seen to. */
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
