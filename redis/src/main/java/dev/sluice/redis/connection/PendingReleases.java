package dev.sluice.redis.connection;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Releases that Redis has not confirmed yet, and that are retried. */
public final class PendingReleases {

	/*
	 * A release is a command that names its call, so that Redis may run it twice. It is
	 * sent at once. If it fails it is pending: it is retried on a new connection and
	 * periodically, one attempt at a time, until it is done or a lease has passed, after
	 * which Redis has removed a node without heartbeats. The number of pending releases
	 * is limited; a permit beyond it becomes free when its lease expires.
	 *
	 * A release of an unanswered call is done when it has found the call. The call may
	 * arrive after it, as a server that was stopped reads the commands of a connection
	 * that was closed in the meantime. As that is soon or never, the pauses between
	 * answered attempts double without a bound.
	 *
	 * Attacked by PendingReleasesTests, RedisLostAnswerTests and
	 * RedisLostAnswerHostileTests.
	 */

	static final int MAX = 10_000;

	private static final System.Logger LOGGER = System.getLogger(PendingReleases.class.getName());

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final Set<Release> pending = ConcurrentHashMap.newKeySet();

	/**
	 * Number of pending releases: raised before adding one, lowered after its removal.
	 */
	private final AtomicInteger count = new AtomicInteger();

	private final LongSupplier nanoTime;

	public PendingReleases() {
		this(System::nanoTime);
	}

	PendingReleases(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Sends a release until it is done.
	 * @param command the command, which returns whether it is done
	 * @param atMost the maximum time to retry it
	 * @return completed when it is done, or after the maximum time
	 */
	public CompletableFuture<Void> add(Supplier<CompletableFuture<Boolean>> command, Duration atMost) {
		Release release = new Release(command, this.nanoTime.getAsLong() + atMost.toNanos());
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

	/** Returns the number of pending releases. */
	int size() {
		return this.pending.size();
	}

	/** Retries the releases that are due. */
	public void retry() {
		long now = this.nanoTime.getAsLong();
		this.pending.forEach((release) -> release.retry(now));
	}

	/** Retries all releases, on a new connection. */
	public void retryAll() {
		this.pending.forEach(Release::send);
	}

	/** Release with its command and state. */
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
				ask().whenComplete((done, failure) -> answered(failure == null, failure == null && done));
			}
		}

		/**
		 * Sends the command; an exception is a failed attempt and is not thrown to the
		 * caller.
		 */
		private CompletableFuture<Boolean> ask() {
			try {
				return this.command.get();
			}
			catch (RuntimeException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		private synchronized void answered(boolean run, boolean done) {
			long now = PendingReleases.this.nanoTime.getAsLong();
			this.sent = false;
			if (done || now - this.until >= 0 || !keep()) {
				leave();
				complete(null);
				return;
			}
			this.next = now + this.pause;
			this.pause = run ? 2 * this.pause : Math.min(2 * this.pause, LONGEST_PAUSE);
			PendingReleases.this.pending.add(this);
		}

		/** Returns whether the limit admits this release. */
		private boolean keep() {
			if (!this.kept) {
				this.kept = reserve();
				if (!this.kept) {
					LOGGER.log(System.Logger.Level.DEBUG,
							"A permit becomes free only when its lease expires, as {0} releases are pending", MAX);
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
