package dev.sluice.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.lettuce.core.KeyValue;

/**
 * What was admitted and rejected here, and is added to the counts in Redis now and then;
 * and, for this node alone, which keys were rejected.
 */
final class Counts {

	private static final int MOST_KEYS = 10_000;

	private final RedisNode node;

	private final String name;

	private final LongAdder admitted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	Counts(RedisNode node, String resource) {
		this.node = node;
		this.name = node.names().counts(resource);
	}

	void admitted(int permits) {
		this.admitted.add(permits);
	}

	void rejected(String key) {
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

	/** Adds to the counts in Redis what has happened here since the last time. */
	void flush() {
		flush("admitted", this.admitted);
		flush("rejected", this.rejected);
	}

	private void flush(String field, LongAdder counter) {
		long count = counter.sumThenReset();
		if (count != 0) {
			this.node.link().send((commands) -> commands.hincrby(this.name, field, count)).exceptionally((failure) -> {
				counter.add(count);
				return 0L;
			});
		}
	}

	/** Lets the counts in Redis go if nobody calls this again in time. */
	void expireAfter(Duration time) {
		this.node.link().send((commands) -> commands.pexpire(this.name, time));
	}

	/** Returns what all nodes have admitted and rejected, as far as they have told. */
	CompletableFuture<long[]> total() {
		flush();
		return this.node.link()
			.send((commands) -> commands.hmget(this.name, "admitted", "rejected"))
			.thenApply((counts) -> new long[] { number(counts, 0), number(counts, 1) });
	}

	private static long number(List<KeyValue<String, String>> counts, int index) {
		return Long.parseLong(counts.get(index).getValueOrElse("0"));
	}

}
