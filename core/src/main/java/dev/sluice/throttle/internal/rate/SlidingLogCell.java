package dev.sluice.throttle.internal.rate;

import java.lang.invoke.VarHandle;
import java.util.Arrays;

import dev.sluice.throttle.internal.memory.Backoff;
import dev.sluice.throttle.internal.memory.CompiledLimit;

/** Times of the permits of the last period, oldest first, in a ring. */
final class SlidingLogCell extends RateCell {

	/*
	 * The ring holds "size" times, beginning at index "tail". It grows on demand, to the
	 * limit at most. A call is admitted if the period that ends now would contain at most
	 * "limit" permits, including the new ones: the oldest times, which are overwritten,
	 * must have left the period.
	 *
	 * The cell's value counts the permits admitted, so it changes with every change of
	 * the ring. That makes the word a sequence lock: tryAcquire reads the word, then the
	 * clock, then the ring, and then the word again. If the word is unchanged, the ring
	 * has not changed in between, and a rejection has written nothing. An admission
	 * acquires the guard by a CAS from the word that it read, so that its decision still
	 * holds, as does the index for the time of a single permit: operations after a CAS
	 * begin only when it has ended, and only stores follow it there. As the clock is read
	 * after the word, each time in the ring is at most the current time. The guarded path
	 * handles a ring that has to grow.
	 *
	 * Optimistic reads may access a ring during a change. They index it modulo its own
	 * length, so that only their result can be wrong, and it is then discarded. The
	 * acquire fence orders them before the second read of the word.
	 *
	 * Attacked by SlidingLogTests (oracle), RateCellLincheckTests and
	 * ConcurrentGrantTests.
	 */

	private static final int FIRST_LENGTH = 4;

	private long[] times;

	private int tail;

	private int size;

	SlidingLogCell(CompiledLimit terms) {
		this(terms, new long[Math.min(terms.max, FIRST_LENGTH)]);
	}

	private SlidingLogCell(CompiledLimit terms, long[] times) {
		super(terms);
		this.times = times;
	}

	@Override
	long tryAcquire(int permits) {
		CompiledLimit terms = this.terms;
		for (int losses = 0;; losses++) {
			long word = this.word;
			int state = (int) word & STATE;
			if (state == FREE) {
				long now = terms.clock.nanoTime();
				long[] times = this.times;
				int size = this.size;
				int end = this.tail + size;
				if (end >= times.length) {
					end -= times.length;
				}
				if (permits == 1 && isFree(times, size, end, now)) {
					long answer = admitted(now);
					if (WORD.compareAndSet(this, word, word | HELD)) {
						VarHandle.storeStoreFence();
						times[end] = now;
						if (size < times.length) {
							this.size = size + 1;
						}
						else {
							this.tail = (end + 1 < times.length) ? end + 1 : 0;
						}
						WORD.setRelease(this, word + (1L << STATE_BITS));
						return answer;
					}
				}
				else {
					long wait = earliest(permits, now);
					if (wait > 0) {
						VarHandle.acquireFence();
						if (this.word == word) {
							return wait;
						}
					}
					else if (WORD.compareAndSet(this, word, word | HELD)) {
						VarHandle.storeStoreFence();
						return takeOrUnlock(permits, now) ? admitted(now) : UNDECIDED;
					}
				}
			}
			else if (state != HELD) {
				return UNDECIDED;
			}
			Backoff.pause(losses);
		}
	}

	/**
	 * Returns whether the index at the end of the ring is free for a permit, as it is
	 * unused or its time has left the period. Returns false if the ring is longer than
	 * the limit, which may then be used up, or if the index belongs to a ring that has
	 * changed.
	 */
	private boolean isFree(long[] times, int size, int end, long now) {
		return times.length <= this.terms.max && end >= 0 && end < times.length
				&& (size < times.length || now - times[end] >= this.terms.period);
	}

	/**
	 * Takes available permits, unless the ring has to grow, and releases the guard.
	 */
	private boolean takeOrUnlock(int permits, long now) {
		int passed = passed(permits, now);
		boolean fits = lengthFor(permits, passed) <= this.times.length;
		if (fits) {
			push(permits, now, passed);
			value(value() + permits);
		}
		unlock();
		return fits;
	}

	@Override
	public long earliest(int permits, long now) {
		int excess = this.size - this.terms.max + permits;
		if (excess <= 0) {
			return 0;
		}
		long[] times = this.times;
		int index = this.tail + excess - 1;
		if (index >= times.length) {
			index -= times.length;
		}
		long oldest = times[(index < times.length) ? index : 0];
		return Math.max(0, oldest + this.terms.period - now);
	}

	@Override
	public void take(int permits, long now) {
		int passed = passed(permits, now);
		int length = lengthFor(permits, passed);
		if (length > this.times.length) {
			moveTo(new long[length]);
		}
		push(permits, now, passed);
		value(value() + permits);
	}

	/** Returns the required length of the ring when it reuses passed times. */
	private int lengthFor(int permits, int passed) {
		int length = this.times.length;
		int needed = Math.max(this.size, Math.min(this.size - passed + permits, this.terms.max));
		return (needed <= length) ? length : (int) Math.max(needed, Math.min(2L * length, this.terms.max));
	}

	/**
	 * Counts the times that have left the period, up to the number that the call
	 * overwrites.
	 */
	private int passed(int permits, long now) {
		int passed = 0;
		while (passed < this.size && this.size - passed + permits > this.times.length
				&& now - time(passed) >= this.terms.period) {
			passed++;
		}
		return passed;
	}

	private void push(int permits, long now, int passed) {
		drop(Math.max(passed, this.size - this.terms.max + permits));
		int index = this.tail + this.size;
		for (int i = 0; i < permits; i++, index++) {
			this.times[(index < this.times.length) ? index : index - this.times.length] = now;
		}
		this.size += permits;
	}

	private void drop(int count) {
		this.size -= count;
		this.tail += count;
		if (this.tail >= this.times.length) {
			this.tail -= this.times.length;
		}
	}

	private void moveTo(long[] times) {
		for (int i = 0; i < this.size; i++) {
			times[i] = time(i);
		}
		this.times = times;
		this.tail = 0;
	}

	private long time(int i) {
		int index = this.tail + i;
		return this.times[(index < this.times.length) ? index : index - this.times.length];
	}

	@Override
	void refund(int permits, long takenAt, long now) {
		long[] kept = new long[this.times.length];
		int size = 0;
		int left = permits;
		for (int i = 0; i < this.size; i++) {
			if (left > 0 && time(i) == takenAt) {
				left--;
			}
			else {
				kept[size++] = time(i);
			}
		}
		this.times = kept;
		this.tail = 0;
		this.size = size;
		value(value() + 1);
		this.terms.tally.admitted.add(-permits - 1L);
	}

	@Override
	void adopt(RateCell old, long now) {
		if (old instanceof SlidingLogCell log) {
			// More than the limit may be kept: were it raised again, they would count.
			this.times = new long[Math.max(log.size, this.times.length)];
			for (int i = 0; i < log.size; i++) {
				this.times[i] = log.time(i);
			}
			this.size = log.size;
		}
		else {
			this.size = old.used(now);
			this.times = new long[Math.max(this.size, this.times.length)];
			Arrays.fill(this.times, 0, this.size, now);
		}
	}

	@Override
	int used(long now) {
		int used = this.size;
		while (used > 0 && now - time(this.size - used) >= this.terms.period) {
			used--;
		}
		return used;
	}

	@Override
	public long idleAfter(long now) {
		return (this.size == 0) ? 0 : Math.max(0, time(this.size - 1) + this.terms.period - now);
	}

	@Override
	long untallied() {
		return value();
	}

	@Override
	RateCell copy() {
		SlidingLogCell copy = new SlidingLogCell(this.terms.scratch(), this.times.clone());
		copy.tail = this.tail;
		copy.size = this.size;
		return copy;
	}

}
