package dev.sluice.benchmarks.limits;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;

/** The cost of a rejected call with the maximum number of keys. */
final class CrowdedKeys {

	static final int KEYS_AT_CAP = 10_000;

	static final int ACTIVE_KEYS = 1_000;

	static final int WAITING = 100;

	private static final int CALLS = 10_000;

	private static final Duration PERIOD = Duration.ofHours(1);

	private CrowdedKeys() {
	}

	/** A new key at the cap, while one of the others is used between two calls. */
	static double newcomerNanos() {
		Throttle throttle = ThrottlingManager.builder()
			.build()
			.addOrUpdate("capped", Limit.slidingLog(1_000, PERIOD),
					LimitOptions.builder().maxKeys(KEYS_AT_CAP).build());
		String[] known = Keys.make(KEYS_AT_CAP);
		for (String key : known) {
			throttle.tryAcquireNanos(key, 1);
		}
		throttle.tryAcquireNanos("the first newcomer", 1);
		long start = System.nanoTime();
		for (int call = 0; call < CALLS; call++) {
			throttle.tryAcquireNanos(known[call], 1);
			expectRejected(throttle.tryAcquireNanos("a newcomer", 1));
		}
		return (double) (System.nanoTime() - start) / CALLS;
	}

	/** A key of a dynamic window whose capacity is used by all together. */
	static double dynamicWindowNanos() {
		return rejectedNanos(dynamicWindow(), "a newcomer");
	}

	/** A key of such a window for which others wait. */
	static double dynamicWindowLineNanos() {
		Throttle throttle = dynamicWindow();
		List<CompletableFuture<Permit>> waiting = Stream
			.generate(() -> throttle.acquire("a newcomer", 1, PERIOD.multipliedBy(WAITING)))
			.limit(WAITING)
			.toList();
		double nanos = rejectedNanos(throttle, "a newcomer");
		waiting.forEach((call) -> call.cancel(false));
		return nanos;
	}

	private static Throttle dynamicWindow() {
		Throttle throttle = ThrottlingManager.builder()
			.build()
			.addOrUpdate("shared", Limit.dynamicWindow(ACTIVE_KEYS, 1, ACTIVE_KEYS, PERIOD, 60),
					LimitOptions.builder().maxKeys(2 * ACTIVE_KEYS).build());
		for (String key : Keys.make(ACTIVE_KEYS)) {
			throttle.tryAcquireNanos(key, 1);
		}
		return throttle;
	}

	private static double rejectedNanos(Throttle throttle, String key) {
		long start = System.nanoTime();
		for (int call = 0; call < CALLS; call++) {
			expectRejected(throttle.tryAcquireNanos(key, 1));
		}
		return (double) (System.nanoTime() - start) / CALLS;
	}

	private static void expectRejected(long wait) {
		if (wait == 0) {
			throw new IllegalStateException("A call was admitted that must be rejected");
		}
	}

}
