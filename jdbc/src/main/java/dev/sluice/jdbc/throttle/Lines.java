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
 * The calls of a node that stand in line. What was granted to them, and when to look for
 * more, is picked up by one statement for all of them, when this node has heard that
 * there is something, and often enough otherwise; so waiting costs no connection.
 */
public final class Lines {

	/*
	 * A waiter is here from before its place is asked for until its future has ended.
	 * What was granted stays in the database until the pick after the one that brought
	 * it, so an answer that is lost is asked for again. Whoever ends a future without a
	 * permit has its place forgotten, with what it was granted meanwhile.
	 *
	 * A lease counts from when its grant cannot have been there yet: that is the last
	 * pick, or, as nothing is picked while nobody waits, when its call entered.
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
	 * Creates empty lines, and asks nothing.
	 * @param database where the limits are
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

	/** Removes a waiter. Returns whether it was there. */
	boolean remove(long entry) {
		return this.waiters.remove(entry) != null;
	}

	/** Picks up grants if calls wait, and the database can be used. */
	public void pickInTime() {
		if ((!this.waiters.isEmpty() || !this.known.isEmpty()) && !this.database.isUnavailable()) {
			pick();
		}
	}

	/** Picks up what there is; once more if something comes while that is under way. */
	void pick() {
		if (this.asked.getAndUpdate((times) -> Math.min(2, times + 1)) == 0) {
			ask();
		}
	}

	private void ask() {
		long before = this.picked;
		long now = System.nanoTime();
		Long[] heard = this.known.toArray(Long[]::new);
		this.database.rows(this, Replies.Picked::read, "sluice_pick(?, ?)", this.node, heard)
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
	 * Stands in line again for calls whose places the database has lost, and has lines
	 * served whose first was of a node that is dead by now, and so does not look.
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
