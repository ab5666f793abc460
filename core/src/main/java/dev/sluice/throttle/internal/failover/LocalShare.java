package dev.sluice.throttle.internal.failover;

import java.util.Map;
import java.util.function.IntSupplier;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Share of a node in one limit, in its own memory: the limit divided by the nodes. */
final class LocalShare {

	/*
	 * "opened" is replaced as a whole. Two threads may open the same share at the same
	 * time: the store in memory has one throttle for the limit, so both threads get the
	 * same permits. Attacked by LocalShareTests and FailoverTests.
	 */

	private final ThrottleStore memory = ThrottleStore.inMemory(NanoClock.system());

	private final String resource;

	private final IntSupplier nodes;

	private volatile @Nullable Opened opened;

	/**
	 * Creates a share without granting any permits.
	 * @param resource the name of the limit
	 * @param nodes the supplier of the number of nodes that share the limit
	 */
	LocalShare(String resource, IntSupplier nodes) {
		this.resource = resource;
		this.nodes = nodes;
	}

	private record Opened(Limit whole, LimitOptions options, int nodes, StoredThrottle throttle) {
	}

	/** Returns the share for the current number of nodes. */
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

	/** Returns the latest share, or {@code null} before the first use. */
	@Nullable StoredThrottle last() {
		Opened known = this.opened;
		return (known != null) ? known.throttle : null;
	}

	/** Divides the permits of a limit, with at least one permit for each number. */
	static Limit divided(Limit whole, int among) {
		LimitDefinition divided = LimitDefinition.of(whole);
		for (Map.Entry<String, Object> option : divided.options().entrySet()) {
			if (option.getValue() instanceof Integer number && !option.getKey().equals("buckets")) {
				divided = divided.option(option.getKey(), share(number, among));
			}
		}
		return divided.toLimit();
	}

	private static int share(int number, int among) {
		return Math.max(1, number / among);
	}

}
