package dev.sluice.jdbc.throttle;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

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
	 * is picked while no call waits. The database returns grants in any order. A token or
	 * a time grows with each grant, and entries of one statement have the same time.
	 *
	 * A place without a waiter, a confirmation or a release belongs to no call. The
	 * database has such places after a release expired while the place was locked, or
	 * after a fail-over that lost their removal. They would stay as long as the node
	 * lives, and block their lines. A place is momentarily unknown between two of these
	 * states, so only a place that stays unknown is removed. If it was granted, it is
	 * confirmed, as its permits may have been used.
	 *
	 * Attacked by JdbcFaultTests, LinesTests and UnknownPlaceTests.
	 */

	private static final Comparator<Replies.Picked> GRANTED_FIRST = Comparator.comparingLong(Replies.Picked::granted)
		.thenComparingLong(Replies.Picked::entry);

	private static final int SECONDS_BETWEEN_CHECKS = 5;

	private static final long UNKNOWN_FOR = TimeUnit.SECONDS.toNanos(SECONDS_BETWEEN_CHECKS - 1);

	private final Database database;

	private final String node;

	private final ScheduledExecutorService timer;

	private final Releases releases;

	private final Map<Long, WaitingCall> waiters = new ConcurrentHashMap<>();

	private final Set<Long> known = ConcurrentHashMap.newKeySet();

	private final Map<Long, Boolean> looking = new ConcurrentHashMap<>();

	private final AtomicInteger asked = new AtomicInteger();

	private final AtomicBoolean checking = new AtomicBoolean();

	/** Entries that belong to no call, since when; guarded by "checking". */
	private final Map<Long, Long> unknown = new ConcurrentHashMap<>();

	private final AtomicInteger checks = new AtomicInteger();

	private volatile long picked = System.nanoTime();

	/**
	 * Creates empty lines, without a statement to the database.
	 * @param database the database that stores the limits
	 * @param node the name of this node
	 * @param timer a thread that never blocks
	 * @param releases the releases of places
	 */
	Lines(Database database, String node, ScheduledExecutorService timer, Releases releases) {
		this.database = database;
		this.node = node;
		this.timer = timer;
		this.releases = releases;
	}

	void add(WaitingCall waiter) {
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
					rows.stream().sorted(GRANTED_FIRST).forEach((row) -> hear(row, before));
				}
				if (this.asked.getAndUpdate((times) -> times - 1) > 1) {
					ask();
				}
			});
	}

	private void hear(Replies.Picked row, long before) {
		WaitingCall waiter = this.waiters.get(row.entry());
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

	private void look(WaitingCall waiter, long entry) {
		this.looking.remove(entry);
		if (!waiter.isDone()) {
			waiter.owner().serve(waiter.request().key());
		}
	}

	/**
	 * Enters calls again if the database has lost their places. Serves a line if its
	 * first place belongs to a dead node, which does not serve it. Removes places that
	 * belong to no call. Runs once a second.
	 */
	public void checkPlaces() {
		List<WaitingCall> placed = this.waiters.values().stream().filter(WaitingCall::isPlaced).toList();
		boolean due = this.checks.incrementAndGet() % SECONDS_BETWEEN_CHECKS == 0;
		if (placed.isEmpty() && !due || !this.checking.compareAndSet(false, true)) {
			return;
		}
		Map<WaitingCall, Long> entries = new ConcurrentHashMap<>();
		placed.forEach((waiter) -> entries.put(waiter, waiter.entry()));
		this.database.rows(this, Replies.Place::read, "sluice_places(?)", this.node).whenComplete((places, failure) -> {
			try {
				if (failure == null) {
					enterAgain(entries, places);
					removeUnknown(places);
				}
			}
			finally {
				this.checking.set(false);
			}
		});
		if (!placed.isEmpty()) {
			serveStalled();
		}
	}

	private static void enterAgain(Map<WaitingCall, Long> entries, List<Replies.Place> places) {
		Set<Long> there = places.stream().map(Replies.Place::entry).collect(Collectors.toSet());
		entries.forEach((waiter, entry) -> {
			if (!there.contains(entry) && waiter.isPlaced() && waiter.entry() == entry) {
				waiter.owner().enterAgain(waiter);
			}
		});
	}

	private void removeUnknown(List<Replies.Place> places) {
		long now = System.nanoTime();
		Set<Long> entries = places.stream()
			.map(Replies.Place::entry)
			.filter((entry) -> !this.waiters.containsKey(entry) && !this.known.contains(entry)
					&& !this.releases.isPending(entry))
			.collect(Collectors.toSet());
		this.unknown.keySet().retainAll(entries);
		entries.forEach((entry) -> this.unknown.putIfAbsent(entry, now));
		List<Replies.Place> over = places.stream()
			.filter((place) -> now - this.unknown.getOrDefault(place.entry(), now) >= UNKNOWN_FOR)
			.toList();
		over.stream().filter(Replies.Place::granted).forEach((place) -> this.known.add(place.entry()));
		List<Replies.Place> waiting = over.stream().filter((place) -> !place.granted()).toList();
		if (!waiting.isEmpty()) {
			this.releases.leaveUnknown(waiting);
		}
	}

	private void serveStalled() {
		this.database.rows(this, (row) -> row.getLong(1), "sluice_stalled(?)", this.node)
			.thenAccept((stalled) -> stalled.forEach((entry) -> {
				WaitingCall waiter = this.waiters.get(entry);
				if (waiter != null) {
					look(waiter, entry);
				}
			}));
	}

	List<WaitingCall> of(WaitingCall.Owner owner) {
		return this.waiters.values().stream().filter((waiter) -> waiter.owner() == owner).toList();
	}

}
