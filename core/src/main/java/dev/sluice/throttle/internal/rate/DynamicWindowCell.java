package dev.sluice.throttle.internal.rate;

import java.lang.invoke.VarHandle;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.Cell;
import dev.sluice.throttle.internal.memory.CompiledLimit;

/** Usage of one key of a dynamic window. */
final class DynamicWindowCell extends BucketCell {

	/*
	 * The cell uses the guard of DynamicWindowShares. The state in this cell's own word
	 * is FREE, LINE or DEAD, and HELD only temporarily. It changes only under the guard,
	 * and therefore never without a change of the guard's word. A rejection reads that
	 * word, the clock, the usage of all keys, and that word again. After several
	 * concurrent changes the call acquires the guard, so that its work is bounded. An
	 * admission acquires the guard by a CAS from the word that it read. A thread that
	 * holds the guard for several keys must not evict one of them: "held" marks the cells
	 * that it uses.
	 *
	 * A cell that replaces one of another kind counts the old usage as used now, and so
	 * does the shared total.
	 *
	 * Attacked by DynamicWindowTests, RateCellLincheckTests and ConcurrentGrantTests.
	 */

	/** Number of invalidated reads after which a call acquires the guard. */
	private static final int MAX_LOSSES = 3;

	/**
	 * Maximum number of waiters in a forecast, as each takes time proportional to the
	 * keys.
	 */
	private static final int MAX_FORECAST_WAITERS = 100;

	private final DynamicWindowShares shares;

	/** Whether the thread that holds the guard uses this cell. Guarded. */
	private boolean held;

	DynamicWindowCell(CompiledLimit terms, DynamicWindowShares shares) {
		super(terms);
		this.shares = shares;
	}

	@Override
	public boolean lock() {
		this.shares.enter();
		return hold();
	}

	@Override
	public boolean tryLock() {
		if (!this.shares.tryEnter()) {
			return false;
		}
		if (this.held) {
			this.shares.exit();
			return false;
		}
		return hold();
	}

	private boolean hold() {
		if (((int) this.word & STATE) == DEAD) {
			this.shares.exit();
			return false;
		}
		this.held = true;
		return true;
	}

	@Override
	public void unlock() {
		this.held = false;
		super.unlock();
		this.shares.exit();
	}

	@Override
	public void kill() {
		this.held = false;
		super.kill();
		this.shares.exit();
	}

	@Override
	public void inherit(Cell old) {
		super.inherit(old);
		this.shares.enter();
		this.held = true;
	}

	@Override
	long tryAcquire(int permits) {
		for (int losses = 0;; losses++) {
			long shared = this.shares.guard();
			int state = (int) this.word & STATE;
			if (state == LINE || state == DEAD || losses > MAX_LOSSES) {
				return UNDECIDED;
			}
			if (state == FREE && ((int) shared & STATE) == FREE) {
				long now = this.terms.clock.nanoTime();
				long wait = earliest(permits, now);
				if (wait > 0) {
					VarHandle.acquireFence();
					if (this.shares.guard() == shared) {
						return wait;
					}
				}
				else if (WORD.compareAndSet(this.shares, shared, shared | HELD)) {
					VarHandle.storeStoreFence();
					try {
						take(permits, now);
					}
					finally {
						super.unlock();
						WORD.setRelease(this.shares, shared + (1L << STATE_BITS));
					}
					return admitted(now);
				}
			}
			Backoff.pause(losses);
		}
	}

	@Override
	public long earliest(int permits, long now) {
		return this.shares.earliest(this, permits, now);
	}

	@Override
	public void take(int permits, long now) {
		this.shares.take(this, permits, now);
		super.take(permits, now);
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		this.shares.refund(permits, takenAt, now);
		super.refund(permits, takenAt, now);
	}

	@Override
	void forget(long now) {
		this.shares.forget(this, now);
	}

	@Override
	void adopt(RateCell old, long now) {
		if (old instanceof DynamicWindowCell cell && cell.shares == this.shares) {
			super.adopt(old, now);
			this.shares.replace(old, this);
		}
		else if (old.used(now) > 0) {
			this.shares.take(this, old.used(now), now);
			super.adopt(old, now);
		}
	}

	@Override
	int limit(long now) {
		return this.shares.share(this, now);
	}

	@Override
	int maxForecastWaiters() {
		return MAX_FORECAST_WAITERS;
	}

	@Override
	RateCell copy() {
		return DynamicWindowShares.copy(this, this.shares, this.terms.scratch());
	}

}
