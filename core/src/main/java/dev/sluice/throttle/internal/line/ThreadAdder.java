package dev.sluice.throttle.internal.line;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.internal.FieldHandles;

/** Sum, exact to the last call, at next to no cost for threads that often add to it. */
public final class ThreadAdder {

	/*
	 * A thread that often adds has its own share, which no other thread writes, so that
	 * it needs no atomic operation. A share stays with the first thread whose id maps to
	 * it, even after the thread has ended, as ids are not reused. All other threads add
	 * to "others", as do all threads until the sum is large enough to justify the memory
	 * of shares.
	 *
	 * One array contains the ids of the owners of all shares, which are written once,
	 * followed by the shares, with padding that separates their cache lines.
	 *
	 * Attacked by ThreadAdderTests.
	 */

	private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

	private static final VarHandle SHARES = FieldHandles.find(MethodHandles.lookup(), "shares", long[].class);

	/** Sum from which shares are worth their memory. */
	private static final int OFTEN = 1_000;

	private static final int MAX_SHARES = 8;

	private static final int FIRST_OWNER = 8;

	private static final int FIRST_SHARE = 24;

	private static final int STRIDE = 16;

	private static final int LENGTH = FIRST_SHARE + MAX_SHARES * STRIDE;

	/** Array without shares. */
	private static final long[] NONE = new long[LENGTH];

	private final LongAdder others = new LongAdder();

	private volatile long[] shares = NONE;

	public void add(long number) {
		long[] shares = this.shares;
		long thread = Thread.currentThread().getId();
		int share = (int) thread & (MAX_SHARES - 1);
		long owner = shares[FIRST_OWNER + share];
		if (owner == thread) {
			int index = FIRST_SHARE + share * STRIDE;
			ELEMENT.setOpaque(shares, index, shares[index] + number);
			return;
		}
		this.others.add(number);
		if (owner == 0 && this.others.sum() >= OFTEN) {
			claim(thread, share);
		}
	}

	private void claim(long thread, int share) {
		if (this.shares == NONE) {
			SHARES.compareAndSet(this, NONE, new long[LENGTH]);
		}
		ELEMENT.compareAndSet(this.shares, FIRST_OWNER + share, 0L, thread);
	}

	public long sum() {
		long sum = this.others.sum();
		long[] shares = this.shares;
		for (int index = FIRST_SHARE; index < LENGTH; index += STRIDE) {
			sum += (long) ELEMENT.getOpaque(shares, index);
		}
		return sum;
	}

}
