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

/** Evicts the idle keys of a rate limit in small batches, on the threads of callers. */
final class KeyEviction {

	/*
	 * A key is idle when it has no waiters and its usage no longer counts. The check and
	 * the kill of the cell happen under the cell's guard. A concurrent call fails its CAS
	 * on the dead cell, looks the key up again and starts with a new cell, which is equal
	 * to the idle one. So a busy key is never evicted.
	 *
	 * Below the cap, an occasional caller, and each caller that adds a key, checks the
	 * next batch of keys. A round over all keys takes about a period or longer: a check
	 * costs as much as a call, so that at most 50,000 keys are checked per second.
	 *
	 * At the cap, the keys are ordered by the earliest time at which each may be idle.
	 * This time is a lower bound: acquired permits only postpone it, and each event that
	 * may bring it forward (a new cell, a refund, a line that has emptied) notes the key
	 * so that it is checked first. A new key checks the keys in this order until one is
	 * idle, or until the time of the first is confirmed and in the future: then all keys
	 * are busy until "fullUntil". A check that only postpones a key means that the key
	 * was used since the last check, so these checks are no more than the admitted calls.
	 * The guard is released after each batch, so that concurrent callers share the work.
	 *
	 * The order is built when the cap is reached, and dropped when half of the keys have
	 * been evicted. It is published before the keys are listed, and a cell before its key
	 * is noted, so no key is missing from it.
	 *
	 * Attacked by KeyTests and ConcurrentGrantTests.
	 */

	private static final int BATCH = 64;

	private static final long SHORTEST_LOOK = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long SHORTEST_ROUND = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_ROUND = TimeUnit.HOURS.toNanos(1);

	/** Result of a check that evicted the key or did not find it. */
	private static final long GONE = -1;

	/** Result of a check of a key whose guard is held by another thread. */
	private static final long HELD = 1;

	private final KeyedCells<RateCell> keys;

	private final ThrottleCounters tally;

	private final NanoClock clock;

	/** Held by the sweeping thread. */
	private final ReentrantLock sweeping = new ReentrantLock();

	private Iterator<String> cursor;

	/**
	 * Times at which keys may be idle, at the cap. Read without the guard only for
	 * comparison.
	 */
	private volatile @Nullable IdleTimes idleTimes;

	/** Keys that are new, or may be idle earlier than recorded. */
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

	/** Checks the next batch, unless another thread is sweeping. */
	void sweep(CompiledLimit terms) {
		if (!this.sweeping.tryLock()) {
			return;
		}
		try {
			long now = this.clock.nanoTime();
			IdleTimes idleTimes = this.idleTimes;
			if (idleTimes == null) {
				for (int i = Math.min(BATCH, this.keys.size()); i > 0 && advance(); i--) {
					check(this.cursor.next(), now, true);
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
	 * Moves to the next key, from the last one to the first. Returns false without any
	 * key.
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

	/** Evicts idle keys at the cap. Returns whether a new key may fit now. */
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
			boolean unsettled = checkFirst(idleTimes, now, false);
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

	/** Evicts at most a batch of idle keys. Returns false if no key is idle. */
	private boolean evictIdle(IdleTimes idleTimes, long now) {
		return checkFirst(idleTimes, now, true);
	}

	/**
	 * Checks at most a batch of keys, the earliest idle time first. Returns false if no
	 * key can be evicted before "fullUntil". This time is in the future, unless a key is
	 * held; if it has passed by the time of the return, the caller has to retry.
	 */
	private boolean checkFirst(IdleTimes idleTimes, long now, boolean evict) {
		putNoted(idleTimes, now);
		boolean evicted = false;
		for (int i = 0; i < BATCH; i++) {
			IdleTimes.IdleTime first = idleTimes.first();
			if (first == null) {
				return true;
			}
			long idleAfter = check(first.key(), now, evict);
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
	 * Evicts a key if it is idle and {@code evict} is set. Otherwise returns the
	 * nanoseconds until it is idle, after its waiters have been served. Does not wait for
	 * a cell whose guard is held, possibly by this thread.
	 */
	private long check(String key, long now, boolean evict) {
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

	/** Notes a key that is new, or may be idle earlier than at its last check. */
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

	/** Returns the nanoseconds until a new key may fit at the cap. */
	long roomAfter() {
		return Math.max(1, this.fullUntil - this.clock.nanoTime());
	}

}
