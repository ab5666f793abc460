package dev.sluice.jdbc.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.sluice.internal.Failures;
import dev.sluice.jdbc.connection.Database;
import org.jspecify.annotations.Nullable;

/** Permits that a node holds, renewed in one statement. */
public final class Holdings {

	/*
	 * A closed permit is not renewed. It belongs to the releases until the database has
	 * confirmed its release or its lease has ended. A permit whose row is locked keeps
	 * its lease until a later renewal. If the lease of the node cannot be renewed a few
	 * times in a row, all its permits are at risk, so the database counts as unavailable
	 * even if other statements succeed.
	 *
	 * Attacked by JdbcFaultTests, LockedRowTests and JdbcFaultSuiteTests.
	 */

	private static final int SHARES_OF_A_LEASE = 4;

	private static final long LONGEST_MILLIS = 2_000;

	private static final int FAILURES_OF_A_FAULT = 3;

	private final Database database;

	private final String node;

	private final Duration lease;

	private final Releases releases;

	private final Map<Long, HeldPermit> held = new ConcurrentHashMap<>();

	private final AtomicBoolean renewing = new AtomicBoolean();

	/** Renewals in a row that failed in the database; guarded by "renewing". */
	private volatile int failures;

	private volatile boolean ended;

	private volatile long renewedAt = System.nanoTime() - TimeUnit.DAYS.toNanos(1);

	/**
	 * Creates an empty register, without a statement to the database.
	 * @param database the database that stores the limits
	 * @param node the name of this node
	 * @param lease how long the database counts this node as live after a renewal
	 * @param releases the releases of closed permits
	 */
	Holdings(Database database, String node, Duration lease, Releases releases) {
		this.database = database;
		this.node = node;
		this.lease = lease;
		this.releases = releases;
	}

	/** Creates the permit of a granted entry, and registers it for renewal. */
	HeldPermit hold(JdbcLimit limit, String key, long entry, long token, long since) {
		HeldPermit permit = new HeldPermit(limit, key, entry, token, since, this::exit);
		this.held.put(entry, permit);
		return permit;
	}

	/**
	 * Returns whether half of a lease may have passed, so that its grant must be
	 * confirmed.
	 */
	boolean isLate(JdbcLimit limit, long since) {
		return System.nanoTime() - since >= limit.lease().dividedBy(2).toNanos();
	}

	/** Renews a granted entry. Returns whether the database still has it. */
	CompletableFuture<Boolean> confirm(long entry) {
		return renew(this.lease, entry).thenApply((answer) -> answer.renewed().contains(entry));
	}

	private CompletableFuture<Replies.Renewed> renew(Duration lease, Long... entries) {
		return this.database
			.firstRows(this, Replies.Renewed::read, "sluice_renew(?, ?, ?)", this.node, lease.toNanos() / 1000, entries)
			.thenApply((rows) -> rows.get(0));
	}

	private void exit(HeldPermit permit) {
		remove(permit);
		this.releases.leave(permit.limit(), permit.key(), permit.entry());
	}

	void remove(HeldPermit permit) {
		this.held.remove(permit.entry());
	}

	/**
	 * Renews the permits of this node if a renewal is due. A permit whose lease has ended
	 * without a renewal is lost.
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

	/** Renews this node and the permits that it holds. */
	public void renew() {
		if (this.ended || !this.renewing.compareAndSet(false, true)) {
			return;
		}
		long since = System.nanoTime();
		Map<Long, HeldPermit> asked = Map.copyOf(this.held);
		renew(this.lease, asked.keySet().toArray(Long[]::new)).whenComplete((answer, failure) -> {
			if (failure == null) {
				this.failures = 0;
				this.renewedAt = since;
				Set<Long> renewed = Set.copyOf(answer.renewed());
				Set<Long> still = Set.copyOf(answer.held());
				asked.forEach((entry, permit) -> {
					if (renewed.contains(entry)) {
						permit.renewed(since);
					}
					else if (!still.contains(entry)) {
						lose(permit);
					}
				});
			}
			else if (Database.wasSent(failure)) {
				failed(Failures.cause(failure));
			}
			this.renewing.set(false);
		});
	}

	private void failed(Throwable failure) {
		int inARow = this.failures + 1;
		boolean fault = inARow >= FAILURES_OF_A_FAULT;
		this.failures = fault ? 0 : inARow;
		if (fault) {
			this.database.unavailable(failure);
		}
	}

	private void lose(HeldPermit permit) {
		if (this.held.remove(permit.entry(), permit)) {
			permit.lose();
		}
	}

	/** Releases all permits of this node, when the node ends. */
	public void leaveAll() {
		List.copyOf(this.held.values()).forEach((permit) -> {
			this.held.remove(permit.entry());
			this.releases.leave(permit.limit(), permit.key(), permit.entry());
		});
	}

	/**
	 * Ends the lease of this node, so that a place that a late call leaves behind does
	 * not block its line until the lease expires. Waits for one statement, at most for
	 * its timeout.
	 */
	public void end() {
		this.ended = true;
		if (!this.database.isUnavailable()) {
			renew(Duration.ZERO).<@Nullable Object>handle((answer, failure) -> null)
				.completeOnTimeout(null, this.database.timeout().toNanos(), TimeUnit.NANOSECONDS)
				.join();
		}
	}

}
