package dev.sluice.throttle.internal.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

import dev.sluice.internal.FieldHandles;

/** Time cut into buckets of one length, aligned to the clock's zero. */
public final class Buckets {

	/*
	 * "latest" is read and written by all threads without order. The opaque access keeps
	 * its 64 bits together. Each value is the start of a bucket, so a lost write costs
	 * one division. Attacked by RateCellLincheckTests and SlidingWindowAgainstItself
	 * (jcstress).
	 */

	private static final VarHandle LATEST = FieldHandles.find(MethodHandles.lookup(), "latest", long.class);

	public final long length;

	/**
	 * Start of a bucket, usually the current one, which saves the division. Races are
	 * harmless, as each stored value is the start of a bucket.
	 */
	@SuppressWarnings("unused") // by LATEST
	private long latest;

	public Buckets(long length) {
		this.length = length;
	}

	/** Returns the start of the bucket of a time. */
	public long start(long time) {
		long latest = (long) LATEST.getOpaque(this);
		long into = time - latest;
		if (into >= 0 && into < this.length) {
			return latest;
		}
		long start = time - Math.floorMod(time, this.length);
		LATEST.setOpaque(this, start);
		return start;
	}

}
