package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.jdbc.connection.Text;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Releases that the database has not confirmed. While a statement runs, new releases
 * wait, and the next statement sends them together. A failed release is sent again, at
 * growing intervals, until the database confirms it or its lease has ended.
 */
public final class Releases {

	/*
	 * A release names its entry, so the database may run it twice. A release is ready, is
	 * sent, or waits for its next attempt; "pending" contains all of them. One batch is
	 * sent at a time. The thread that sends a batch sets "sending", which stays set until
	 * the answer. If a batch of several releases fails, each release is sent again in a
	 * statement of its own, because one of them may concern a locked key.
	 *
	 * The call of an entry without an answer may run after the release of the entry: a
	 * server that was stopped and continues reads the statements that were sent on a
	 * connection that this node has already closed. Such a release is therefore repeated,
	 * a few times at most, until it has found the entry. The entry is never renewed, so
	 * it ends with its lease.
	 *
	 * Attacked by JdbcReleaseTests and JdbcFaultSuiteTests.
	 */

	private static final int BATCH = 100;

	private static final int MOST_UNFOUND = 5;

	private static final int STATEMENTS_AT_END = 4;

	private static final long SHORTEST_PAUSE = Duration.ofMillis(125).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

	private final Database database;

	private final String node;

	private final Consumer<Collection<String>> wake;

	private final Map<Long, Release> pending = new ConcurrentHashMap<>();

	private final Queue<Release> ready = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean sending = new AtomicBoolean();

	/**
	 * Creates an empty register, without a statement to the database.
	 * @param database the database that stores the limits
	 * @param node the name of this node
	 * @param wake notifies nodes to pick up the outcome of their places in line
	 */
	Releases(Database database, String node, Consumer<Collection<String>> wake) {
		this.database = database;
		this.node = node;
		this.wake = wake;
	}

	/** Releases the permits or the place in line of an entry. */
	void leave(JdbcLimit limit, String key, long entry) {
		add(new Release(limit, key, entry, false));
	}

	/**
	 * Releases the permits or the place in line that an entry may have, or may still
	 * receive, because its call has no answer.
	 */
	void leaveUnanswered(JdbcLimit limit, String key, long entry) {
		add(new Release(limit, key, entry, true));
	}

	private void add(Release release) {
		this.pending.put(release.entry, release);
		this.database.awaitFirst(release.limit.statements().lane(release.key), release.attempted);
		release.sendAgain();
	}

	/** Returns whether the release of an entry has not been confirmed. */
	boolean isPending(long entry) {
		return this.pending.containsKey(entry);
	}

	/** Removes places that belong to no call. A later check repeats a failed attempt. */
	void leaveUnknown(List<Replies.Place> places) {
		this.database
			.urgentRow(places, Replies.Left::read, "sluice_leave(?, ?, ?, ?)", this.node,
					places.stream().map(Replies.Place::entry).toArray(Long[]::new),
					places.stream().map(Replies.Place::resource).toArray(byte[][]::new),
					places.stream().map(Replies.Place::key).toArray(byte[][]::new))
			.thenAccept((left) -> this.wake.accept(left.wake()));
	}

	/** Releases all permits that an owner holds now. */
	CompletableFuture<Boolean> release(JdbcLimit limit, String key, String owner, long entry) {
		OwnerRelease release = new OwnerRelease(limit, key, owner, entry);
		this.pending.put(entry, release);
		release.sendAgain();
		return release.released;
	}

	/** Sends again the releases that are due. */
	public void retry() {
		long now = System.nanoTime();
		this.pending.values().forEach((release) -> release.retry(now));
	}

	/** Sends all releases again, when the database is available again. */
	public void retryAll() {
		this.pending.values().forEach((release) -> {
			release.alone = false;
			release.sendAgain();
		});
	}

	/**
	 * Waits until each release was sent once, at most for the timeouts of a few
	 * statements.
	 */
	public void awaitSent() {
		CompletableFuture<?>[] attempts = this.pending.values()
			.stream()
			.map((release) -> release.attempted)
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(attempts)
			.completeOnTimeout(null, STATEMENTS_AT_END * this.database.timeout().toNanos(), TimeUnit.NANOSECONDS)
			.join();
	}

	private void sendReady() {
		if (this.ready.isEmpty() || !this.sending.compareAndSet(false, true)) {
			return;
		}
		List<Release> batch = batch();
		if (batch.isEmpty()) {
			this.sending.set(false);
			sendReady();
			return;
		}
		Long[] entries = batch.stream().map((release) -> release.entry).toArray(Long[]::new);
		byte[][] resources = batch.stream()
			.map((release) -> release.limit.statements().resourceBytes())
			.toArray(byte[][]::new);
		byte[][] keys = batch.stream().map((release) -> Text.encode(release.key)).toArray(byte[][]::new);
		this.database
			.urgentRow(this, Replies.Left::read, "sluice_leave(?, ?, ?, ?)", this.node, entries, resources, keys)
			.whenComplete((left, failure) -> {
				boolean answered = failure == null;
				Set<Long> found = answered ? Set.copyOf(left.found()) : Set.of();
				boolean oneOfThem = batch.size() > 1 && !this.database.isUnavailable();
				batch.forEach((release) -> release.answered(answered, found.contains(release.entry), oneOfThem));
				if (answered) {
					this.wake.accept(left.wake());
				}
				this.sending.set(false);
				sendReady();
			});
	}

	private List<Release> batch() {
		List<Release> batch = new ArrayList<>();
		while (batch.size() < BATCH) {
			Release next = this.ready.peek();
			if (next == null || next.alone && !batch.isEmpty()) {
				break;
			}
			this.ready.remove();
			batch.add(next);
			if (next.alone) {
				break;
			}
		}
		return batch;
	}

	/** Release of one entry. */
	private class Release {

		final JdbcLimit limit;

		final String key;

		final long entry;

		/** Completed after the first attempt. */
		private final CompletableFuture<Void> attempted = new CompletableFuture<>();

		private final boolean unanswered;

		private final long until;

		private boolean sent;

		private volatile boolean alone;

		private int unfound;

		private long pause = SHORTEST_PAUSE;

		private long next;

		Release(JdbcLimit limit, String key, long entry, boolean unanswered) {
			this.limit = limit;
			this.key = key;
			this.entry = entry;
			this.unanswered = unanswered;
			this.until = System.nanoTime() + limit.lease().multipliedBy(2).toNanos();
		}

		void retry(long now) {
			synchronized (this) {
				if (this.sent || now - this.next < 0) {
					return;
				}
			}
			if (now - this.until < 0) {
				sendAgain();
			}
			else if (Releases.this.pending.remove(this.entry, this)) {
				expired();
			}
		}

		void sendAgain() {
			synchronized (this) {
				if (this.sent) {
					return;
				}
				this.sent = true;
			}
			send();
		}

		void send() {
			Releases.this.ready.add(this);
			sendReady();
		}

		/** Handles the answer to the statement that contained this release. */
		void answered(boolean answered, boolean found, boolean shared) {
			synchronized (this) {
				this.unfound += (answered && !found) ? 1 : 0;
				if (answered && (found || !this.unanswered || this.unfound >= MOST_UNFOUND)) {
					Releases.this.pending.remove(this.entry, this);
				}
				else {
					this.alone |= !answered && shared;
					this.next = System.nanoTime() + this.pause;
					this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
					this.sent = false;
				}
			}
			this.attempted.complete(null);
		}

		void expired() {
			// the lease has ended
		}

	}

	/** Release of all entries that an owner had at the time of the request. */
	private final class OwnerRelease extends Release {

		private final String owner;

		private final long since = System.nanoTime();

		private final CompletableFuture<Boolean> released = new CompletableFuture<>();

		OwnerRelease(JdbcLimit limit, String key, String owner, long entry) {
			super(limit, key, entry, false);
			this.owner = owner;
		}

		@Override
		void send() {
			LongSupplier age = () -> TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - this.since);
			this.limit.statements().release(this.key, this.owner, age).whenComplete((done, failure) -> {
				answered(failure == null, failure == null, false);
				if (failure == null) {
					this.released.complete(done.done());
					Releases.this.wake.accept(done.wake());
				}
			});
		}

		@Override
		void expired() {
			this.released.completeExceptionally(
					new StoreUnavailableException("The database has not answered a release within its lease"));
		}

	}

}
