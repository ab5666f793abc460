package dev.sluice.jdbc.throttle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a node has decided, as far as it has not told the database; and of which keys it
 * has rejected calls.
 */
public final class ThrottleCounts {

	private static final int MOST_KEYS = 10_000;

	private final LongAdder admitted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	ThrottleCounts() {
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

	long rejectedOf(String key) {
		LongAdder known = this.rejectedKeys.get(key);
		return (known != null) ? known.sum() : 0;
	}

	boolean isEmpty() {
		return this.admitted.sum() == 0 && this.rejected.sum() == 0;
	}

	/** Takes the counts away: what was admitted, and what was rejected. */
	long[] take() {
		return new long[] { this.admitted.sumThenReset(), this.rejected.sumThenReset() };
	}

	void putBack(long[] counts) {
		this.admitted.add(counts[0]);
		this.rejected.add(counts[1]);
	}

}
