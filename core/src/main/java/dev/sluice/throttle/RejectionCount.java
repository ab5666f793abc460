package dev.sluice.throttle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/** How often calls were rejected, to the last one, at next to no cost for the calls. */
final class RejectionCount {

	/*
	 * A thread that is rejected often counts in a share of its own, which nobody else
	 * writes, so that an increment takes no atomic step. A share is two numbers, the id
	 * of its thread and its count, with room around them that keeps them from the cache
	 * lines of others. It stays with the first thread whose id leads to it, dead or
	 * alive, as ids are not given twice. All other threads, and the first rejections of a
	 * key, count in the adder.
	 *
	 * Attacked by RejectionCountTests.
	 */

	private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

	private static final VarHandle SHARES;

	static {
		try {
			SHARES = MethodHandles.lookup().findVarHandle(RejectionCount.class, "shares", long[].class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** Rejections that make shares worth their memory. */
	private static final int OFTEN = 1_000;

	private static final int MOST_SHARES = 8;

	private static final int STRIDE = 16;

	private static final int OWNER = 8;

	private static final int COUNT = 9;

	/** What nobody has a share of. */
	private static final long[] NONE = new long[MOST_SHARES * STRIDE];

	private final LongAdder others = new LongAdder();

	private volatile long[] shares = NONE;

	void increment() {
		long[] shares = this.shares;
		long thread = Thread.currentThread().getId();
		int share = ((int) thread & (MOST_SHARES - 1)) * STRIDE;
		if (shares[share + OWNER] == thread) {
			ELEMENT.setOpaque(shares, share + COUNT, shares[share + COUNT] + 1);
		}
		else {
			incrementOthers(thread, share);
		}
	}

	private void incrementOthers(long thread, int share) {
		this.others.increment();
		if (this.others.sum() >= OFTEN) {
			claim(thread, share);
		}
	}

	private void claim(long thread, int share) {
		if (this.shares == NONE) {
			SHARES.compareAndSet(this, NONE, new long[MOST_SHARES * STRIDE]);
		}
		ELEMENT.compareAndSet(this.shares, share + OWNER, 0L, thread);
	}

	long sum() {
		long sum = this.others.sum();
		long[] shares = this.shares;
		for (int count = COUNT; count < shares.length; count += STRIDE) {
			sum += (long) ELEMENT.getOpaque(shares, count);
		}
		return sum;
	}

}
