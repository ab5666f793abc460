package dev.sluice.redis;

import java.util.function.IntSupplier;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** A node's share of one limit, in its own memory: the limit divided by the nodes. */
final class LocalShare {

	private final ThrottleStore memory = ThrottleStore.inMemory(NanoClock.system());

	private final String resource;

	private final IntSupplier nodes;

	private volatile @Nullable Opened opened;

	/**
	 * Prepares a share, and takes none.
	 * @param resource the name of the limit
	 * @param nodes tells how many share it
	 */
	LocalShare(String resource, IntSupplier nodes) {
		this.resource = resource;
		this.nodes = nodes;
	}

	private record Opened(Limit whole, LimitOptions options, int nodes, StoredThrottle throttle) {
	}

	/** Returns the share as it has to be now. */
	StoredThrottle of(Limit whole, LimitOptions options) {
		int among = this.nodes.getAsInt();
		Opened known = this.opened;
		if (known == null || known.nodes != among || !known.whole.equals(whole) || !known.options.equals(options)) {
			StoredThrottle throttle = this.memory.open(this.resource, divided(whole, among), options).orElseThrow();
			known = new Opened(whole, options, among, throttle);
			this.opened = known;
		}
		return known.throttle;
	}

	/** Returns the share as it was last, if one was ever taken. */
	@Nullable StoredThrottle last() {
		Opened known = this.opened;
		return (known != null) ? known.throttle : null;
	}

	/** Divides what a limit grants, but leaves at least one permit of each number. */
	static Limit divided(Limit whole, int among) {
		if (whole instanceof Limit.SlidingLog log) {
			return Limit.slidingLog(share(log.limit(), among), log.period());
		}
		if (whole instanceof Limit.FixedWindow window) {
			return Limit.fixedWindow(share(window.limit(), among), window.period());
		}
		if (whole instanceof Limit.SlidingWindow window) {
			return Limit.slidingWindow(share(window.limit(), among), window.period(), window.buckets());
		}
		if (whole instanceof Limit.DynamicWindow window) {
			return Limit.dynamicWindow(share(window.capacity(), among), share(window.minLimit(), among),
					share(window.maxLimit(), among), window.period(), window.buckets());
		}
		if (whole instanceof Limit.TokenBucket bucket) {
			return Limit.tokenBucket(share(bucket.capacity(), among), share(bucket.limit(), among), bucket.period());
		}
		return (whole instanceof Limit.Semaphore semaphore) ? Limit.semaphore(share(semaphore.limit(), among)) : whole;
	}

	private static int share(int number, int among) {
		return Math.max(1, number / among);
	}

}
