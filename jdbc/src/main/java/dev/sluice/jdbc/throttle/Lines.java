package dev.sluice.jdbc.throttle;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.jdbc.connection.Database;

/**
 * The calls of a node that stand in line. One statement picks up, for all these calls,
 * the grants and the times at which a line has to be served. The node sends it when it is
 * notified, and also at intervals. A waiting call therefore occupies no connection.
 */
public final class Lines {

	/*
	 * A waiter is registered before its place is requested, and until its future has
	 * ended. A grant stays in the database until the pick after the one that returned it,
	 * so the next pick returns a grant again if an answer is lost. If a future ends
	 * without a permit, its place is removed together with a grant that it has by then.
	 *
	 * A lease counts from a time at which its grant cannot have existed yet. This is the
	 * last pick, or the time at which the call entered if that is later, because nothing
	 * is picked while no call waits.
	 *
	 * Attacked by JdbcFaultTests and LinesTests.
	 */

	private final Database database;

	private final String node;

	private final ScheduledExecutorService timer;

	private final Map<Long, Waiter> waiters = new ConcurrentHashMap<>();

	private final Set<Long> known = ConcurrentHashMap.newKeySet();

	private final Map<Long, Boolean> looking = new ConcurrentHashMap<>();

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicBoolean checking = new AtomicBoolean();

	private volatile long picked = System.nanoTime();

	/**
	 * Creates empty lines, without a statement to the database.
	 * @param database the database that stores the limits
	 * @param node the name of this node
	 * @param timer a thread that never blocks
	 */
	Lines(Database database, String node, ScheduledExecutorService timer) {
		this.database = database;
		this.node = node;
		this.timer = timer;
	}

	void add(Waiter waiter) {
		this.waiters.put(waiter.entry(), waiter);
	}

	/** Removes a waiter. Returns whether it was registered. */
	boolean remove(long entry) {
		return this.waiters.remove(entry) != null;
	}

	/** Picks up grants if calls wait, and the database can be used. */
	public void pickInTime() {
		if ((!this.waiters.isEmpty() || !this.known.isEmpty()) && !this.database.isUnavailable()) {
			pick();
		}
	}

	/** Picks up the grants of this node, or picks again after a pick that is running. */
	void pick() {
		if (this.asked.getAndUpdate((times) -> Math.min(2, times + 1)) == 0) {
			ask();
		}
	}

	private void ask() {
		long before = this.picked;
		long now = System.nanoTime();
		Long[] heard = this.known.toArray(Long[]::new);
		this.database.firstRows(this, Replies.Picked::read, "sluice_pick(?, ?)", this.node, heard)
			.whenComplete((rows, failure) -> {
				if (failure == null) {
					this.known.removeAll(List.of(heard));
					this.picked = now;
					rows.forEach((row) -> hear(row, before));
				}
				if (this.asked.getAndUpdate((times) -> times - 1) > 1) {
					ask();
				}
			});
	}

	private void hear(Replies.Picked row, long before) {
		Waiter waiter = this.waiters.get(row.entry());
		if (row.granted() == 0) {
			if (waiter != null && this.looking.putIfAbsent(row.entry(), true) == null) {
				this.timer.schedule(() -> look(waiter, row.entry()), Math.max(0, row.delay()), TimeUnit.MICROSECONDS);
			}
		}
		else if (waiter != null) {
			this.known.add(row.entry());
			waiter.owner().granted(waiter, row.granted(), waiter.sinceAtLeast(before));
		}
	}

	private void look(Waiter waiter, long entry) {
		this.looking.remove(entry);
		if (!waiter.isDone()) {
			waiter.owner().serve(waiter.request().key());
		}
	}

	/**
	 * Enters calls again if the database has lost their places. Serves a line if its
	 * first place belongs to a dead node, which does not serve it.
	 */
	public void checkPlaces() {
		List<Waiter> placed = this.waiters.values().stream().filter(Waiter::isPlaced).toList();
		if (placed.isEmpty() || !this.checking.compareAndSet(false, true)) {
			return;
		}
		Map<Waiter, Long> entries = new ConcurrentHashMap<>();
		placed.forEach((waiter) -> entries.put(waiter, waiter.entry()));
		this.database.rows(this, (row) -> row.getLong(1), "sluice_places(?)", this.node)
			.whenComplete((rows, failure) -> {
				this.checking.set(false);
				if (failure == null) {
					Set<Long> there = new HashSet<>(rows);
					entries.forEach((waiter, entry) -> {
						if (!there.contains(entry) && waiter.isPlaced() && waiter.entry() == entry) {
							waiter.owner().enterAgain(waiter);
						}
					});
				}
			});
		this.database.rows(this, (row) -> row.getLong(1), "sluice_stalled(?)", this.node)
			.thenAccept((stalled) -> stalled.forEach((entry) -> {
				Waiter waiter = this.waiters.get(entry);
				if (waiter != null) {
					look(waiter, entry);
				}
			}));
	}

	List<Waiter> of(Waiter.Owner owner) {
		return this.waiters.values().stream().filter((waiter) -> waiter.owner() == owner).toList();
	}

}
