package dev.sluice.throttle.internal.rate;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.throttle.AtMaxKeys;
import dev.sluice.throttle.internal.memory.CompiledLimit;
import dev.sluice.throttle.internal.memory.KeyedCells;
import dev.sluice.throttle.internal.memory.ThrottleCounters;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Evicts the idle keys of a rate, a few at a time, on the callers' threads. */
final class KeyEviction {

	/*
	 * A key is idle when nobody waits for it and nothing it has used counts any more.
	 * That is found out, and the cell killed, under the cell's guard: a call that is
	 * about to take from it fails its CAS, looks the key up again and starts afresh, as
	 * it would have there. So no busy key is ever evicted.
	 *
	 * Below the cap one caller in a while, and who adds a key, goes on with a batch from
	 * where the last one stopped, at a pace that goes round in about a period, or slower:
	 * a look at a key costs as much as a call, so there are at most 50,000 a second.
	 *
	 * At the cap the keys are ordered by the earliest time at which each may be idle. It
	 * is never too late: permits that are acquired only postpone it, and whatever may
	 * bring it forward (a new cell, a refund, a line that is empty again) notes the key,
	 * to be looked at first. So a newcomer looks at keys from the soonest on, until one
	 * is idle, or the time of the first is still true and in the future: then all keys
	 * are busy until "fullUntil". A look that only moves a key back is one that was used
	 * since the last look, so there are no more of these than calls that were admitted.
	 * The guard is given back after each batch; newcomers take turns and share the work.
	 *
	 * The order is made when the cap is met, and dropped when half of the keys have left.
	 * It is published before the keys are listed, and a cell before its key is noted, so
	 * no key is missing from it.
	 *
	 * Attacked by KeyTests and ConcurrentGrantTests.
	 */

	private static final int BATCH = 64;

	private static final long SHORTEST_LOOK = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long SHORTEST_ROUND = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_ROUND = TimeUnit.HOURS.toNanos(1);

	/** The answer of a look that found no key any more, or evicted it. */
	private static final long GONE = -1;

	/** The answer of a look at a key that somebody holds. */
	private static final long HELD = 1;

	private final KeyedCells<RateCell> keys;

	private final ThrottleCounters tally;

	private final NanoClock clock;

	/** Acquired by the one who sweeps. */
	private final ReentrantLock sweeping = new ReentrantLock();

	private Iterator<String> cursor;

	/** When keys may be idle, at the cap; read without the guard only to compare it. */
	private volatile @Nullable IdleTimes idleTimes;

	/** Keys that are new, or may be idle sooner than is known. */
	private final Queue<String> noted = new ConcurrentLinkedQueue<>();

	private volatile long fullUntil;

	KeyEviction(KeyedCells<RateCell> keys, ThrottleCounters tally, NanoClock clock) {
		this.keys = keys;
		this.tally = tally;
		this.clock = clock;
		this.cursor = keys.iterator();
		this.fullUntil = clock.nanoTime();
		tally.sweepAt = this.fullUntil + SHORTEST_ROUND;
	}

	/** Goes on with a batch, unless somebody is at it. */
	void sweep(CompiledLimit terms) {
		if (!this.sweeping.tryLock()) {
			return;
		}
		try {
			long now = this.clock.nanoTime();
			IdleTimes idleTimes = this.idleTimes;
			if (idleTimes == null) {
				for (int i = Math.min(BATCH, this.keys.size()); i > 0 && advance(); i--) {
					look(this.cursor.next(), now, true);
				}
			}
			else {
				evictIdle(idleTimes, now);
				if (this.keys.size() < terms.maxKeys() / 2) {
					this.idleTimes = null;
					this.noted.clear();
				}
			}
			setNextSweep(terms, now);
		}
		finally {
			this.sweeping.unlock();
		}
	}

	/**
	 * Goes on to the next key, from the last one to the first; false if there is none.
	 */
	private boolean advance() {
		if (!this.cursor.hasNext()) {
			this.cursor = this.keys.iterator();
		}
		return this.cursor.hasNext();
	}

	private void setNextSweep(CompiledLimit terms, long now) {
		long round = Math.max(SHORTEST_ROUND, Math.min(terms.period, LONGEST_ROUND));
		int size = this.keys.size();
		this.tally.sweepAt = now + Math.max(round, size * SHORTEST_LOOK) / (1 + size / BATCH);
	}

	/** Evicts idle keys at the cap; returns whether there may be room now. */
	boolean makeRoom(CompiledLimit terms) {
		if (!this.sweeping.tryLock()) {
			boolean full = this.noted.isEmpty() && this.clock.nanoTime() - this.fullUntil < 0;
			if (!full) {
				Thread.yield();
			}
			return !full;
		}
		try {
			long now = this.clock.nanoTime();
			IdleTimes idleTimes = idleTimes(now);
			if (terms.options.atMaxKeys() == AtMaxKeys.EVICT_IDLE) {
				return evictIdle(idleTimes, now);
			}
			if (now - this.tally.sweepAt >= 0) {
				setNextSweep(terms, now);
				return evictIdle(idleTimes, now);
			}
			boolean unsettled = lookAtFirst(idleTimes, now, false);
			this.fullUntil = later(this.fullUntil, this.tally.sweepAt);
			return unsettled;
		}
		finally {
			this.sweeping.unlock();
		}
	}

	private IdleTimes idleTimes(long now) {
		IdleTimes idleTimes = this.idleTimes;
		if (idleTimes == null) {
			idleTimes = new IdleTimes();
			this.idleTimes = idleTimes;
			for (Iterator<String> all = this.keys.iterator(); all.hasNext();) {
				idleTimes.put(all.next(), now);
			}
		}
		return idleTimes;
	}

	/** Evicts a batch of idle keys at most; false if none is idle. */
	private boolean evictIdle(IdleTimes idleTimes, long now) {
		return lookAtFirst(idleTimes, now, true);
	}

	/**
	 * Looks at the keys that may be idle soonest, a batch at most. Returns false if none
	 * is to be evicted, and "fullUntil" tells when the first may be. That is to come,
	 * unless a key is held: who was kept from running until then has to look again.
	 */
	private boolean lookAtFirst(IdleTimes idleTimes, long now, boolean evict) {
		putNoted(idleTimes, now);
		boolean evicted = false;
		for (int i = 0; i < BATCH; i++) {
			IdleTimes.IdleTime first = idleTimes.first();
			if (first == null) {
				return true;
			}
			long idleAfter = look(first.key(), now, evict);
			if (idleAfter == GONE) {
				idleTimes.remove(first.key());
				this.fullUntil = now;
				evicted = true;
			}
			else {
				idleTimes.put(first.key(), now + idleAfter);
				if (now + idleAfter - first.time() <= 0) {
					this.fullUntil = evicted ? now : now + idleAfter;
					return evicted || (idleAfter > HELD && this.clock.nanoTime() - this.fullUntil >= 0);
				}
			}
		}
		return true;
	}

	private void putNoted(IdleTimes idleTimes, long now) {
		String key = this.noted.peek();
		while (key != null) {
			this.fullUntil = now;
			this.noted.remove();
			idleTimes.put(key, now);
			key = this.noted.peek();
		}
	}

	/**
	 * Evicts a key if it is idle and may be; else returns the nanoseconds until it is,
	 * those who wait for it having been served. A cell that somebody holds, maybe this
	 * thread, is not waited for.
	 */
	private long look(String key, long now, boolean evict) {
		RateCell cell = this.keys.find(key);
		if (cell == null) {
			return GONE;
		}
		if (!cell.tryLock()) {
			return HELD;
		}
		long idleAfter = cell.hasWaiters() ? Math.max(1, cell.forecast(now).idleAfter(now)) : cell.idleAfter(now);
		if (idleAfter > 0 || !evict) {
			cell.unlock();
			return idleAfter;
		}
		this.tally.admitted.add(cell.untallied());
		this.tally.rejected.add(cell.rejected());
		this.keys.remove(key, cell);
		cell.kill();
		return GONE;
	}

	private static long later(long a, long b) {
		return (a - b > 0) ? a : b;
	}

	/** Notes a key that is new, or may be idle sooner than it was when last looked at. */
	void note(String key) {
		if (this.idleTimes == null || key.isEmpty()) {
			return;
		}
		this.noted.add(key);
		if (this.sweeping.tryLock()) {
			try {
				IdleTimes idleTimes = this.idleTimes;
				if (idleTimes != null) {
					putNoted(idleTimes, this.clock.nanoTime());
				}
			}
			finally {
				this.sweeping.unlock();
			}
		}
	}

	/** Returns the nanoseconds until there may be room at the cap. */
	long roomAfter() {
		return Math.max(1, this.fullUntil - this.clock.nanoTime());
	}

}
