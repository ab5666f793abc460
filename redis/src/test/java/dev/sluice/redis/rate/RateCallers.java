package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import dev.sluice.redis.GrantHistory;
import dev.sluice.redis.GrantHistory.Grant;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;
import io.lettuce.core.RedisClient;

/**
 * A node whose callers all ask for one key of a rate, as fast as they can, and note what
 * they are granted. Its clock is wrong. As a process: port, which rate, seconds, hours by
 * which its clock is wrong; it says that it is ready, begins when it is told to, and
 * prints its grants.
 */
final class RateCallers {

	static final int CALLERS = 32;

	private static final int LIMIT = 200;

	private static final Duration PERIOD = Duration.ofMillis(200);

	static final List<Limit> RATES = List.of(Limit.slidingLog(LIMIT, PERIOD), Limit.fixedWindow(LIMIT, PERIOD),
			Limit.slidingWindow(LIMIT, PERIOD, 4), Limit.tokenBucket(LIMIT, LIMIT, PERIOD));

	private RateCallers() {
	}

	public static void main(String[] args) throws Exception {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + args[0]);
		Limit limit = RATES.get(Integer.parseInt(args[1]));
		Duration time = Duration.ofSeconds(Integer.parseInt(args[2]));
		try (RedisThrottleStore store = store(client)) {
			Throttle throttle = throttle(store, limit, Integer.parseInt(args[3]));
			System.out.println("ready");
			if (System.in.read() >= 0) {
				call(throttle, time).forEach((grant) -> System.out.println(grant.before() + " " + grant.after()));
			}
		}
		client.shutdown();
	}

	static RedisThrottleStore store(RedisClient client) {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(30)).build();
	}

	/** Defines a rate on a node whose clock is so many hours ahead of others. */
	static Throttle throttle(RedisThrottleStore store, Limit limit, int hours) {
		NanoClock right = NanoClock.system();
		long wrong = Duration.ofHours(hours).toNanos();
		return ThrottlingManager.builder()
			.store(store)
			.clock(() -> right.nanoTime() + wrong)
			.build()
			.addOrUpdate(limit.type(), limit);
	}

	/** Has all callers call for so long, and returns what they were granted. */
	static Queue<Grant> call(Throttle throttle, Duration time) throws InterruptedException {
		Queue<Grant> grants = new ConcurrentLinkedQueue<>();
		ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
		long end = System.nanoTime() + time.toNanos();
		for (int i = 0; i < CALLERS; i++) {
			callers.execute(() -> {
				while (System.nanoTime() - end < 0) {
					long before = GrantHistory.now();
					if (throttle.tryAcquireNanos("k", 1) == 0) {
						grants.add(new Grant(before, GrantHistory.now()));
					}
				}
			});
		}
		callers.shutdown();
		if (!callers.awaitTermination(time.toSeconds() + 120, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Callers hang");
		}
		return grants;
	}

}
