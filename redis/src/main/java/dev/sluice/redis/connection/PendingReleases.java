package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Releases that Redis has not confirmed yet, and that are sent again. */
public final class PendingReleases {

	/*
	 * A release is a command that names the call it is about, so that Redis may run it
	 * twice. It is sent at once, and what has come to nothing is pending: it is sent
	 * again as soon as there is a new connection, and now and then, one at a time, until
	 * it is done or its time is over. That is a lease, as Redis believes no node any
	 * longer of which it hears nothing. So many are kept at most: what comes beyond them
	 * is free when its lease is over.
	 *
	 * A release of a call without an answer is done when it has found the call. The call
	 * may come after it: a server that was stopped reads what was sent on a connection
	 * that has been given up since.
	 *
	 * Attacked by PendingReleasesTests, RedisLostAnswerTests and
	 * RedisLostAnswerHostileTests.
	 */

	static final int MAX = 10_000;

	private static final System.Logger LOGGER = System.getLogger(PendingReleases.class.getName());

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final Set<Release> pending = ConcurrentHashMap.newKeySet();

	/** How many are pending: raised before one is added, lowered after it was removed. */
	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Sends a release until it is done.
	 * @param command sends it, and answers whether it is done
	 * @param atMost for how long
	 * @return completed when it is done, or its time is over
	 */
	public CompletableFuture<Void> add(Supplier<CompletableFuture<Boolean>> command, Duration atMost) {
		Release release = new Release(command, System.nanoTime() + atMost.toNanos());
		release.send();
		return release;
	}

	private boolean reserve() {
		if (this.count.incrementAndGet() <= MAX) {
			return true;
		}
		this.count.decrementAndGet();
		return false;
	}

	/** Returns how many are pending. */
	int size() {
		return this.pending.size();
	}

	/** Sends what is due. */
	public void retry() {
		long now = System.nanoTime();
		this.pending.forEach((release) -> release.retry(now));
	}

	/** Sends everything, as there is a new connection. */
	public void retryAll() {
		this.pending.forEach(Release::send);
	}

	/** A command, and what happens to it. */
	private final class Release extends CompletableFuture<Void> {

		private final Supplier<CompletableFuture<Boolean>> command;

		private final long until;

		private boolean sent;

		private boolean kept;

		private long pause = LONGEST_PAUSE / 16;

		private long next;

		Release(Supplier<CompletableFuture<Boolean>> command, long until) {
			this.command = command;
			this.until = until;
		}

		synchronized void retry(long now) {
			if (!this.sent && now - this.next >= 0) {
				send();
			}
		}

		synchronized void send() {
			if (!this.sent && !isDone()) {
				this.sent = true;
				ask().whenComplete((done, failure) -> answered(failure == null && done));
			}
		}

		/**
		 * A command that cannot be sent has failed, and does not throw to the releaser.
		 */
		private CompletableFuture<Boolean> ask() {
			try {
				return this.command.get();
			}
			catch (RuntimeException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		private synchronized void answered(boolean done) {
			long now = System.nanoTime();
			this.sent = false;
			if (done || now - this.until >= 0 || !keep()) {
				leave();
				complete(null);
				return;
			}
			this.next = now + this.pause;
			this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
			PendingReleases.this.pending.add(this);
		}

		/** Returns whether there is room for this one. */
		private boolean keep() {
			if (!this.kept) {
				this.kept = reserve();
				if (!this.kept) {
					LOGGER.log(System.Logger.Level.DEBUG, "A permit is free only when its lease is over, as Redis "
							+ "could not be told of {0} others either", MAX);
				}
			}
			return this.kept;
		}

		private void leave() {
			if (this.kept) {
				this.kept = false;
				PendingReleases.this.pending.remove(this);
				PendingReleases.this.count.decrementAndGet();
			}
		}

	}

}
