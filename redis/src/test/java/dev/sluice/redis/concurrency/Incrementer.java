package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.test.trial.GrantHistory;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * A node whose threads increment a number in another server, under a mutex, for ever: by
 * reading it, adding one, and writing it back. As a process: port of the limits' server,
 * port of the number's. It prints of each turn when it was asked for, by when it was in
 * line for certain, and its token; and when it had it, and then when it was about to give
 * it back or was told that it is lost.
 */
final class Incrementer {

	static final Duration LEASE = Duration.ofMillis(500);

	private static final int THREADS = 2;

	private Incrementer() {
	}

	public static void main(String[] args) {
		RedisThrottleStore store = RedisThrottleStore.builder(RedisClient.create("redis://127.0.0.1:" + args[0]))
			.timeout(Duration.ofSeconds(30))
			.lease(LEASE)
			.build();
		Throttle mutex = ThrottlingManager.builder().store(store).build().addOrUpdate("order", Limit.mutex());
		Ledger ledger = new Ledger(RedisClient.create("redis://127.0.0.1:" + args[1]).connect());
		System.out.println("ready");
		for (int i = 0; i < THREADS; i++) {
			new Thread(() -> increment(mutex, ledger)).start();
		}
	}

	private static void increment(Throttle mutex, Ledger ledger) {
		while (true) {
			long before = GrantHistory.now();
			CompletableFuture<Permit> turn = mutex.acquire("k", 1, Duration.ofDays(1));
			mutex.state("k");
			long after = GrantHistory.now();
			try (Permit permit = turn.join()) {
				long token = permit.fencingToken().orElseThrow();
				System.out.println("in " + token + ' ' + GrantHistory.now());
				permit.onLost(() -> System.out.println("lost " + token + ' ' + GrantHistory.now()));
				Long value = ledger.read(token);
				if (value != null) {
					ledger.write(value + 1, token);
				}
				System.out.println(before + " " + after + " " + token);
				System.out.println("out " + token + ' ' + GrantHistory.now());
			}
			catch (CompletionException ex) {
				// not heard of for a lease, this node has lost its place in line
			}
		}
	}

	/**
	 * What the mutex guards: a number, in storage that rejects a holder whose time is
	 * over, and knows how many writes it has accepted and whether a token came twice.
	 */
	static final class Ledger {

		private static final String READ = """
				if tonumber(ARGV[1]) < tonumber(redis.call('HGET', KEYS[1], 'latest') or 0) then
					return false
				end
				redis.call('HSET', KEYS[1], 'latest', ARGV[1])
				if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then
					redis.call('HINCRBY', KEYS[1], 'repeated', 1)
				end
				return tonumber(redis.call('HGET', KEYS[1], 'value') or 0)
				""";

		private static final String WRITE = """
				if redis.call('HGET', KEYS[1], 'latest') == ARGV[1] then
					redis.call('HSET', KEYS[1], 'value', ARGV[2])
					redis.call('HINCRBY', KEYS[1], 'accepted', 1)
				end
				""";

		private static final String[] KEYS = { "{ledger}", "{ledger}:tokens" };

		private final RedisCommands<String, String> redis;

		Ledger(StatefulRedisConnection<String, String> connection) {
			this.redis = connection.sync();
		}

		/** Reads, so that nobody of before can write any more. */
		Long read(long token) {
			return this.redis.eval(READ, ScriptOutputType.INTEGER, KEYS, "" + token);
		}

		/** Writes unless somebody has come since. */
		void write(long value, long token) {
			this.redis.eval(WRITE, ScriptOutputType.STATUS, KEYS, "" + token, "" + value);
		}

		/**
		 * Returns the number, how many writes made it, and how many tokens came twice.
		 */
		List<Long> count() {
			return this.redis.hmget(KEYS[0], "value", "accepted", "repeated")
				.stream()
				.map((field) -> Long.parseLong(field.getValueOrElse("0")))
				.toList();
		}

	}

}
