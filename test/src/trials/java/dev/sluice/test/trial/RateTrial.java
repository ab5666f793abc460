package dev.sluice.test.trial;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.test.trial.GrantHistory.Grant;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;

/**
 * Callers of a node that all ask for one key of a rate, as fast as they can, and note
 * what they are granted. Its clock is wrong.
 */
public final class RateTrial {

	private static final int LIMIT = 200;

	private static final Duration PERIOD = Duration.ofMillis(200);

	/** How much later a call ends if not enough was granted. */
	private static final Duration LATEST = Duration.ofSeconds(60);

	public static final List<Limit> RATES = List.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
			Limit.slidingWindow(LIMIT, PERIOD, 4), Limit.tokenBucket(LIMIT, LIMIT, PERIOD));

	private final Throttle throttle;

	private final int callers;

	/**
	 * Defines a rate.
	 * @param store where it is
	 * @param hours by which the node's clock is ahead of others
	 * @param callers how many threads call
	 */
	public RateTrial(ThrottleStore store, Limit limit, int hours, int callers) {
		NanoClock right = NanoClock.system();
		long wrong = Duration.ofHours(hours).toNanos();
		this.throttle = ThrottlingManager.builder()
			.store(store)
			.clock(() -> right.nanoTime() + wrong)
			.build()
			.addOrUpdate(limit.type(), limit);
		this.callers = callers;
	}

	/**
	 * Has all callers call for a time, and on a slow machine for longer, until enough was
	 * granted.
	 * @param granted counts the permits of all nodes
	 * @param enough how many must be granted at least
	 * @return what was granted at this node
	 */
	public Queue<Grant> call(Duration time, AtomicInteger granted, int enough) throws InterruptedException {
		Queue<Grant> grants = new ConcurrentLinkedQueue<>();
		ExecutorService threads = Executors.newFixedThreadPool(this.callers);
		long end = System.nanoTime() + time.toNanos();
		long latest = end + LATEST.toNanos();
		for (int i = 0; i < this.callers; i++) {
			threads.execute(() -> {
				while (System.nanoTime() - ((granted.get() < enough) ? latest : end) < 0) {
					long before = GrantHistory.now();
					if (this.throttle.tryAcquireNanos("k", 1) == 0) {
						grants.add(new Grant(before, GrantHistory.now()));
						granted.incrementAndGet();
					}
				}
			});
		}
		threads.shutdown();
		if (!threads.awaitTermination(time.toSeconds() + 120, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Callers hang");
		}
		return grants;
	}

	/** Says that it is ready, calls when it is told to, and prints the grants. */
	public void callWhenTold(Duration time) throws IOException, InterruptedException {
		System.out.println("ready");
		if (System.in.read() >= 0) {
			call(time, new AtomicInteger(), 2 * LIMIT).forEach((grant) -> System.out.println(grant.before() + " " + grant.after()));
		}
	}

}
