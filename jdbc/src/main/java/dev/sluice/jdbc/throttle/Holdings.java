package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.sluice.jdbc.connection.Database;
import dev.sluice.throttle.internal.failover.StoreUnavailableException;

/**
 * Permits that a node holds, renewed in one statement, and those that it has still to
 * release.
 */
public final class Holdings {

	/*
	 * An entry is held, or to be given back, or neither: what was closed is not renewed,
	 * and is given back until the database has heard of it, or until its lease has ended
	 * by itself.
	 *
	 * Attacked by JdbcFaultTests.
	 */

	private static final int SHARES_OF_A_LEASE = 4;

	private static final long LONGEST_MILLIS = 2_000;

	private final Database database;

	private final String node;

	private final Duration lease;

	private final Consumer<Collection<String>> wake;

	private final Map<Long, HeldPermit> held = new ConcurrentHashMap<>();

	private final Map<Long, Leaving> leaving = new ConcurrentHashMap<>();

	private final AtomicBoolean renewing = new AtomicBoolean();

	private volatile long renewedAt = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

	/**
	 * Creates an empty register, and asks nothing.
	 * @param database where the limits are
	 * @param node the name of this node
	 * @param lease for how long it is there still when nothing is heard of it
	 * @param wake has nodes hear that there is something to pick up
	 */
	Holdings(Database database, String node, Duration lease, Consumer<Collection<String>> wake) {
		this.database = database;
		this.node = node;
		this.lease = lease;
		this.wake = wake;
	}

	/** Statement that is sent until the database has heard it, or its time is over. */
	private record Leaving(long entry, Supplier<CompletableFuture<? extends Collection<String>>> statement,
			Runnable expired, long until) {
	}

	/** Makes the permit of what was granted, and holds it. */
	HeldPermit hold(JdbcLimit limit, String key, long entry, long token, long since) {
		HeldPermit permit = new HeldPermit(limit, key, entry, token, since, this::exit);
		this.held.put(entry, permit);
		return permit;
	}

	/**
	 * Returns whether so much of a lease may be over that its grant must be confirmed.
	 */
	boolean isLate(JdbcLimit limit, long since) {
		return System.nanoTime() - since >= limit.lease().dividedBy(2).toNanos();
	}

	/** Renews what an entry was granted. Returns whether it is there still. */
	CompletableFuture<Boolean> confirm(long entry) {
		return keep(entry).thenApply((kept) -> kept.contains(entry));
	}

	private CompletableFuture<List<Long>> keep(Long... entries) {
		return this.database.row(this, Replies::numbers, "sluice_keep(?, ?, ?)", this.node, this.lease.toNanos() / 1000,
				entries);
	}

	private void exit(HeldPermit permit) {
		remove(permit);
		leave(permit.limit(), permit.key(), permit.entry(), true);
	}

	void remove(HeldPermit permit) {
		this.held.remove(permit.entry());
	}

	/** Gives back what an entry has or waits for, until the database has heard of it. */
	void leave(JdbcLimit limit, String key, long entry, boolean held) {
		repeat(limit, entry, () -> limit.statements().leave(key, entry, held), () -> {
		});
	}

	/** Releases all that an owner holds now, until the database has heard of it. */
	CompletableFuture<Boolean> release(JdbcLimit limit, String key, String owner, long entry) {
		CompletableFuture<Boolean> released = new CompletableFuture<>();
		long since = System.nanoTime();
		LongSupplier age = () -> TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - since);
		repeat(limit, entry, () -> limit.statements().release(key, owner, age).thenApply((done) -> {
			released.complete(done.done());
			return done.wake();
		}), () -> released.completeExceptionally(
				new StoreUnavailableException("The database has not answered a release within its lease")));
		return released;
	}

	private void repeat(JdbcLimit limit, long entry,
			Supplier<CompletableFuture<? extends Collection<String>>> statement, Runnable expired) {
		long until = System.nanoTime() + limit.lease().multipliedBy(2).toNanos();
		Leaving gone = new Leaving(entry, statement, expired, until);
		this.leaving.put(entry, gone);
		send(gone);
	}

	private void send(Leaving gone) {
		gone.statement().get().thenAccept((wake) -> {
			this.leaving.remove(gone.entry());
			this.wake.accept(wake);
		});
	}

	/**
	 * Renews what is held if it is time for that, and loses what could not be renewed.
	 */
	public void renewInTime() {
		long shortest = this.lease.toMillis();
		for (HeldPermit permit : List.copyOf(this.held.values())) {
			shortest = Math.min(shortest, permit.lease().toMillis());
			if (permit.isOver()) {
				lose(permit);
			}
		}
		long interval = Math.min(LONGEST_MILLIS, shortest / SHARES_OF_A_LEASE);
		if (System.nanoTime() - this.renewedAt >= TimeUnit.MILLISECONDS.toNanos(interval)) {
			renew();
		}
	}

	/** Gives back again what the database has not heard of. */
	public void giveBackAgain() {
		for (Leaving gone : List.copyOf(this.leaving.values())) {
			if (System.nanoTime() - gone.until() >= 0) {
				this.leaving.remove(gone.entry());
				gone.expired().run();
			}
			else {
				send(gone);
			}
		}
	}

	/** Says that this node lives, and renews what it holds. */
	public void renew() {
		if (!this.renewing.compareAndSet(false, true)) {
			return;
		}
		long since = System.nanoTime();
		Map<Long, HeldPermit> asked = Map.copyOf(this.held);
		keep(asked.keySet().toArray(Long[]::new)).whenComplete((kept, failure) -> {
			this.renewing.set(false);
			if (failure == null) {
				this.renewedAt = since;
				Set<Long> still = Set.copyOf(kept);
				asked.forEach((entry, permit) -> {
					if (still.contains(entry)) {
						permit.renewed(since);
					}
					else {
						lose(permit);
					}
				});
			}
		});
	}

	private void lose(HeldPermit permit) {
		if (this.held.remove(permit.entry(), permit)) {
			permit.lose();
		}
	}

	/** Gives back all that is held, as the node ends. */
	public void leaveAll() {
		List.copyOf(this.held.values()).forEach((permit) -> {
			this.held.remove(permit.entry());
			leave(permit.limit(), permit.key(), permit.entry(), true);
		});
	}

}
