package dev.sluice.redis.rate;

import java.time.Duration;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.RateTrial;
import dev.sluice.throttle.Limit;
import io.lettuce.core.RedisClient;

/**
 * A node with callers of a rate, as a process: port, which rate, seconds, hours by which
 * its clock is wrong.
 */
final class RateCallers {

	private static final int CALLERS = 32;

	private RateCallers() {
	}

	public static void main(String[] args) throws Exception {
		RedisClient client = RedisClient.create("redis://127.0.0.1:" + args[0]);
		Limit limit = RateTrial.RATES.get(Integer.parseInt(args[1]));
		try (RedisThrottleStore store = store(client)) {
			trial(store, limit, Integer.parseInt(args[3])).callWhenTold(Duration.ofSeconds(Integer.parseInt(args[2])));
		}
		client.shutdown();
	}

	static RedisThrottleStore store(RedisClient client) {
		return RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(30)).build();
	}

	static RateTrial trial(RedisThrottleStore store, Limit limit, int hours) {
		return new RateTrial(store, limit, hours, CALLERS);
	}

}
