package dev.sluice.throttle;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import dev.sluice.time.NanoClock;

/** Forgets the idle keys of a rate, a few at a time, on the callers' threads. */
final class Sweeper {

	/*
	 * A key is idle when nobody waits for it and nothing it has used counts any more.
	 * That is found out, and the cell killed, under the cell's guard: a call that is
	 * about to take from it fails its CAS, looks the key up again and starts afresh, as
	 * it would have there. So no busy key is ever forgotten.
	 *
	 * In the ordinary run one caller in a while, and who adds a key, goes on with a batch
	 * from where the last one stopped, at a pace that goes round in about a period, or
	 * slower: a look at a key costs as much as a call, so there are at most 50,000 a
	 * second. At the cap a newcomer goes round at once; if no key was idle then, none
	 * will be before "fullUntil", unless something is forgotten or refunded, so until
	 * then newcomers do not look again.
	 *
	 * Attacked by KeyTests and ConcurrentGrantTests.
	 */

	private static final int BATCH = 64;

	private static final long SHORTEST_LOOK = TimeUnit.MICROSECONDS.toNanos(20);

	private static final long SHORTEST_ROUND = TimeUnit.SECONDS.toNanos(1);

	private static final long LONGEST_ROUND = TimeUnit.HOURS.toNanos(1);

	private final Keys<RateCell> keys;

	private final Tally tally;

	private final NanoClock clock;

	/** Taken by the one who sweeps. */
	private final ReentrantLock sweeping = new ReentrantLock();

	private Iterator<RateCell> cursor;

	/** Counts what may have made a key idle before its time. */
	private final AtomicInteger notes = new AtomicInteger();

	/** The notes when no key was found idle, and until when that holds. */
	private volatile int fullAtNote = -1;

	private volatile long fullUntil;

	Sweeper(Keys<RateCell> keys, Tally tally, NanoClock clock) {
		this.keys = keys;
		this.tally = tally;
		this.clock = clock;
		this.cursor = keys.iterator();
		tally.sweepAt = clock.nanoTime() + SHORTEST_ROUND;
	}

	/** Goes on with a batch, unless somebody is at it. */
	void sweep(Terms terms) {
		if (!this.sweeping.tryLock()) {
			return;
		}
		try {
			long now = this.clock.nanoTime();
			for (int i = Math.min(BATCH, this.keys.size()); i > 0 && advance(); i--) {
				evictIfIdle(this.cursor.next(), now);
			}
			long round = Math.max(SHORTEST_ROUND, Math.min(terms.period, LONGEST_ROUND));
			int size = this.keys.size();
			this.tally.sweepAt = now + Math.max(round, size * SHORTEST_LOOK) / (1 + size / BATCH);
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

	/**
	 * Forgets idle keys at the cap; returns whether it is worth to ask for room again.
	 */
	boolean makeRoom(Terms terms) {
		long now = this.clock.nanoTime();
		if (terms.options.atMaxKeys() == AtMaxKeys.REJECT_NEW_KEYS) {
			if (now - this.tally.sweepAt < 0) {
				this.fullUntil = this.tally.sweepAt;
				return false;
			}
			sweep(terms);
			return true;
		}
		int notes = this.notes.get();
		if (this.fullAtNote == notes && now - this.fullUntil < 0) {
			return false;
		}
		if (!this.sweeping.tryLock()) {
			Thread.yield();
			return true;
		}
		try {
			return evictSome(now) || full(notes);
		}
		finally {
			this.sweeping.unlock();
		}
	}

	private boolean evictSome(long now) {
		int evicted = 0;
		long soonest = LONGEST_ROUND;
		for (int left = this.keys.size(); left > 0 && evicted < BATCH && advance(); left--) {
			long idleAfter = evictIfIdle(this.cursor.next(), now);
			if (idleAfter == 0) {
				evicted++;
			}
			else {
				soonest = Math.min(soonest, idleAfter);
			}
		}
		this.fullUntil = now + soonest;
		return evicted > 0;
	}

	private boolean full(int notes) {
		this.fullAtNote = notes;
		return false;
	}

	/**
	 * Evicts the cursor's cell if it is idle, and returns the nanoseconds until it may
	 * be, or 0. A cell that somebody holds, maybe this thread, is not waited for.
	 */
	private long evictIfIdle(RateCell cell, long now) {
		if (!cell.tryLock()) {
			return 1;
		}
		long idleAfter = cell.hasWaiters() ? Long.MAX_VALUE : cell.idleAfter(now);
		if (idleAfter > 0) {
			cell.unlock();
			return idleAfter;
		}
		this.tally.admitted.add(cell.untallied());
		this.tally.rejected.add(cell.rejected());
		this.keys.remove(this.cursor);
		cell.kill();
		return 0;
	}

	/** Notes that a key may have become idle before its time. */
	void noteIdle() {
		this.notes.incrementAndGet();
	}

	/** Returns the nanoseconds until there may be room at the cap. */
	long roomAfter() {
		return Math.max(1, this.fullUntil - this.clock.nanoTime());
	}

}
