package dev.sluice.jdbc.throttle;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Number of calls of one limit at this node that the database was not told of yet. */
final class Counts {

	private static final int MOST_KEYS = 10_000;

	final LongAdder admitted = new LongAdder();

	final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	void rejected(String key) {
		this.rejected.increment();
		if (this.rejectedKeys.size() >= MOST_KEYS) {
			this.rejectedKeys.clear();
		}
		this.rejectedKeys.computeIfAbsent(key, (absent) -> new LongAdder()).increment();
	}

	long rejectedOf(String key) {
		LongAdder known = this.rejectedKeys.get(key);
		return (known != null) ? known.sum() : 0;
	}

}
