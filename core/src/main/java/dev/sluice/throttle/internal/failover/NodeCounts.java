package dev.sluice.throttle.internal.failover;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts of what a node has decided on one limit and not told the server yet; and, for
 * this node alone, the rejections of each key.
 */
public final class NodeCounts {

	private static final int MOST_KEYS = 10_000;

	private final LongAdder admitted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	/**
	 * Counts of one limit.
	 *
	 * @param admitted permits granted, less those given back
	 * @param rejected calls rejected
	 */
	public record Sums(long admitted, long rejected) {
	}

	/**
	 * Counts what was granted.
	 * @param permits how many permits; negative if they were given back
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

	/** Returns how many calls for a key were rejected here. */
	public long rejectedOf(String key) {
		LongAdder known = this.rejectedKeys.get(key);
		return (known != null) ? known.sum() : 0;
	}

	/** Returns whether there is nothing to tell. */
	public boolean isEmpty() {
		return this.admitted.sum() == 0 && this.rejected.sum() == 0;
	}

	/** Takes the counts away, to tell them to the server. */
	public Sums take() {
		return new Sums(this.admitted.sumThenReset(), this.rejected.sumThenReset());
	}

	/** Puts counts back that the server has not heard. */
	public void putBack(Sums counts) {
		this.admitted.add(counts.admitted());
		this.rejected.add(counts.rejected());
	}

}
