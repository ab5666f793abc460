package dev.sluice.throttle.internal.failover;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of a node's decisions on one limit that have not been sent to the server yet,
 * and the rejections by key on this node.
 */
public final class NodeCounts {

	/*
	 * Each count is changed by itself, without a lock. take() removes what it returns, so
	 * a decision is sent to the server once, or is put back. "rejectedKeys" is cleared at
	 * its bound, and then loses counts that are being added. Attacked by NodeCountsTests.
	 */

	private static final int MOST_KEYS = 10_000;

	private final LongAdder admitted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	/**
	 * Counts of one limit.
	 *
	 * @param admitted the granted permits, minus the returned ones
	 * @param rejected the rejected calls
	 */
	public record Sums(long admitted, long rejected) {
	}

	/**
	 * Counts granted permits.
	 * @param permits the number of permits; negative for returned permits
	 */
	public void admitted(long permits) {
		this.admitted.add(permits);
	}

	/**
	 * Counts a rejected call.
	 * @param key its key
	 */
	public void rejected(String key) {
		this.rejected.increment();
		LongAdder known = this.rejectedKeys.get(key);
		if (known == null) {
			if (this.rejectedKeys.size() >= MOST_KEYS) {
				this.rejectedKeys.clear();
			}
			known = this.rejectedKeys.computeIfAbsent(key, (absent) -> new LongAdder());
		}
		known.increment();
	}

	/** Returns the number of calls for a key that this node rejected. */
	public long rejectedOf(String key) {
		LongAdder known = this.rejectedKeys.get(key);
		return (known != null) ? known.sum() : 0;
	}

	/** Returns whether all counts have been sent to the server. */
	public boolean isEmpty() {
		return this.admitted.sum() == 0 && this.rejected.sum() == 0;
	}

	/** Returns the counts to be sent to the server, and resets them. */
	public Sums take() {
		return new Sums(this.admitted.sumThenReset(), this.rejected.sumThenReset());
	}

	/** Adds counts again that did not reach the server. */
	public void putBack(Sums counts) {
		this.admitted.add(counts.admitted());
		this.rejected.add(counts.rejected());
	}

}
