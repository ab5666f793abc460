package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.jdbc.connection.Database;

/** Permits that a node holds, renewed in one statement. */
public final class Holdings {

	/*
	 * A permit that is closed is not renewed: it is among the releases then, until the
	 * database has confirmed it or its lease has ended.
	 *
	 * Attacked by JdbcFaultTests.
	 */

	private static final int SHARES_OF_A_LEASE = 4;

	private static final long LONGEST_MILLIS = 2_000;

	private final Database database;

	private final String node;

	private final Duration lease;

	private final Releases releases;

	private final Map<Long, HeldPermit> held = new ConcurrentHashMap<>();

	private final AtomicBoolean renewing = new AtomicBoolean();

	private volatile long renewedAt = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

	/**
	 * Creates an empty register, and asks nothing.
	 * @param database where the limits are
	 * @param node the name of this node
	 * @param lease for how long it is there still when nothing is heard of it
	 * @param releases permits that are closed
	 */
	Holdings(Database database, String node, Duration lease, Releases releases) {
		this.database = database;
		this.node = node;
		this.lease = lease;
		this.releases = releases;
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
		this.releases.leave(permit.limit(), permit.key(), permit.entry());
	}

	void remove(HeldPermit permit) {
		this.held.remove(permit.entry());
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
		if (this.database.isUnavailable()) {
			return;
		}
		long interval = Math.min(LONGEST_MILLIS, shortest / SHARES_OF_A_LEASE);
		if (System.nanoTime() - this.renewedAt >= TimeUnit.MILLISECONDS.toNanos(interval)) {
			renew();
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
			this.releases.leave(permit.limit(), permit.key(), permit.entry());
		});
	}

}
