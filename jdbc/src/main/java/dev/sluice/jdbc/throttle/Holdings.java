package dev.sluice.jdbc.throttle;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.jdbc.connection.Database;

/**
 * What a node holds, renewed in one statement, and what it has still to give back.
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

	private final JdbcNode node;

	private final Map<Long, HeldPermit> held = new ConcurrentHashMap<>();

	private final Map<Long, Leaving> leaving = new ConcurrentHashMap<>();

	private final AtomicBoolean renewing = new AtomicBoolean();

	private volatile long renewedAt = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

	Holdings(JdbcNode node) {
		this.node = node;
	}

	private record Leaving(JdbcThrottle throttle, String key, long entry, boolean held, long until) {
	}

	void add(HeldPermit permit) {
		this.held.put(permit.entry(), permit);
	}

	void remove(HeldPermit permit) {
		this.held.remove(permit.entry());
	}

	/** Gives back what an entry has or waits for, until the database has heard of it. */
	void leave(JdbcThrottle throttle, String key, long entry, boolean held) {
		long until = System.nanoTime() + throttle.lease().multipliedBy(2).toNanos();
		Leaving gone = new Leaving(throttle, key, entry, held, until);
		this.leaving.put(entry, gone);
		send(gone);
	}

	private void send(Leaving gone) {
		gone.throttle().leave(gone.key(), gone.entry(), gone.held()).thenAccept((wake) -> {
			this.leaving.remove(gone.entry());
			this.node.wake(wake);
		});
	}

	/**
	 * Renews what is held if it is time for that, and loses what could not be renewed.
	 */
	public void renewInTime() {
		long shortest = this.node.lease().toMillis();
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
		Database database = this.node.database();
		database
			.row(this, Replies::numbers, "sluice_keep(?, ?, ?)", this.node.name(), this.node.lease().toNanos() / 1000,
					asked.keySet().toArray(Long[]::new))
			.whenComplete((kept, failure) -> {
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
			leave(permit.throttle(), permit.key(), permit.entry(), true);
		});
	}

}
