package dev.sluice.redis.throttle;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.connection.Script;

/**
 * Counts of what was admitted and rejected here, which are added to those in Redis now
 * and then; and, for this node alone, the rejections of each key.
 */
public final class ThrottleCounts {

	private static final int MOST_KEYS = 10_000;

	private final RedisNode node;

	private final String name;

	private final Duration expiry;

	private final LongAdder admitted = new LongAdder();

	private final LongAdder rejected = new LongAdder();

	private final Map<String, LongAdder> rejectedKeys = new ConcurrentHashMap<>();

	ThrottleCounts(RedisNode node, String resource, Duration expiry) {
		this.node = node;
		this.expiry = expiry;
		this.name = node.names().counts(resource);
	}

	public void admitted(int permits) {
		this.admitted.add(permits);
	}

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

	public long rejectedOf(String key) {
		LongAdder known = this.rejectedKeys.get(key);
		return (known != null) ? known.sum() : 0;
	}

	/** Adds to the counts in Redis what has happened here since the last time. */
	void flush() {
		if (this.admitted.sum() != 0 || this.rejected.sum() != 0) {
			total();
		}
	}

	/**
	 * Adds to the counts in Redis as well.
	 * @return what all nodes have admitted and rejected, as far as they have told
	 */
	CompletableFuture<long[]> total() {
		long admitted = this.admitted.sumThenReset();
		long rejected = this.rejected.sumThenReset();
		CompletableFuture<List<Object>> added = this.node.commands()
			.ask(Script.COUNTS, new String[] { this.name }, Long.toString(admitted), Long.toString(rejected),
					Long.toString(this.expiry.toMillis()));
		added.exceptionally((failure) -> {
			this.admitted.add(admitted);
			this.rejected.add(rejected);
			return List.of();
		});
		return added.thenApply((counts) -> new long[] { (long) counts.get(0), (long) counts.get(1) });
	}

	/** Keeps the counts in Redis, of which nothing is left if nobody does in time. */
	void renew() {
		this.node.commands().send((commands) -> commands.pexpire(this.name, this.expiry));
	}

}
