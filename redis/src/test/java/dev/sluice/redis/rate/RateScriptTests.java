package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.throttle.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What scripts answer first, beside the same scripts without that. */
class RateScriptTests {

	private static final int STEPS = 300;

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Duration DAY = Duration.ofDays(1);

	/** All times are full minutes, which nothing expires within. */
	private static final int MINUTE = 60;

	private static final String KEY = "k";

	private static RedisServer server;

	private static RedisClient client;

	private static StatefulRedisConnection<String, String> connection;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		connection = client.connect();
	}

	@AfterAll
	static void stop() {
		connection.close();
		client.shutdown();
		server.close();
	}

	static Stream<Limit> kinds() {
		return Stream.concat(Stream.of(Limit.dynamicWindow(8, 1, 8, HOUR, 2)), rates().map((limits) -> limits.get(0)));
	}

	@ParameterizedTest
	@MethodSource("kinds")
	void permitsAreReturnedToAServerWithoutMemory(Limit limit) {
		RedisCommands<String, String> redis = connection.sync();
		redis.flushall();
		RateScript script = new RateScript(redis, limit, "full");
		script.setSeconds(MINUTE);
		assertThat(script.take(KEY, 2)).isZero();
		redis.configSet("maxmemory", "1");
		try {
			assertThat(script.ask("refund", KEY, "1", Long.toString(MINUTE * 1_000_000L))).containsExactly(1L);
			assertThat(script.ask("undo", KEY, "node01", "1").get(0)).isOne();
		}
		finally {
			redis.configSet("maxmemory", "0");
		}
		assertThat(script.ask("look", KEY).get(0)).isZero();
	}

	/** The line has ended with its only waiter, and stands for a lease again. */
	@ParameterizedTest
	@MethodSource("kinds")
	void waiterThatIsServedStandsInLineAgainWhenThatIsUndone(Limit limit) {
		RedisCommands<String, String> redis = connection.sync();
		redis.flushall();
		RateScript script = new RateScript(redis, limit, "undone");
		script.setSeconds(MINUTE);
		assertThat(script.take(KEY, limit.limit())).isZero();
		List<Long> entered = script.ask("enter", KEY, "node.1.1", "-1", "9", "1000000000", "node02", "");
		script.ask("refund", KEY, "1", Long.toString(MINUTE * 1_000_000L));
		assertThat(script.ask("serve", KEY, "1000000000", "node03", "")).hasSize(4);
		assertThat(script.ask("look", KEY).get(2)).isZero();

		assertThat(
				script.ask("undo", KEY, "node03", "0", "", "1000000000", "node.1.1", entered.get(2).toString()).get(0))
			.isOne();

		assertThat(script.ask("look", KEY).get(2)).isOne();
		assertThat(redis.keys("*:line")).singleElement().satisfies((line) -> assertThat(redis.pttl(line)).isPositive());
	}

	/** Limits, and others to which they are changed. */
	static Stream<List<Limit>> rates() {
		return Stream.of(List.of(Limit.tokenBucket(6, 6, HOUR), Limit.tokenBucket(10, 5, DAY)),
				List.of(Limit.tokenBucket(8, 8, DAY), Limit.slidingLog(8, HOUR)),
				List.of(Limit.fixedWindow(9, HOUR), Limit.tokenBucket(6, 6, HOUR)),
				List.of(Limit.fixedWindow(5, DAY), Limit.fixedWindow(7, DAY)),
				List.of(Limit.slidingWindow(12, HOUR, 6), Limit.slidingWindow(12, HOUR.multipliedBy(2), 12)));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void firstAnswersAreThoseOfTheRestOfTheScript(List<Limit> limits) {
		RedisCommands<String, String> redis = connection.sync();
		redis.flushall();
		List<RateScript> first = limits.stream().map((limit) -> new RateScript(redis, limit, "first")).toList();
		List<RateScript> rest = limits.stream()
			.map((limit) -> RateScript.withoutFirstAnswers(redis, limit, "rest"))
			.toList();
		long seed = System.nanoTime();
		Calls calls = new Calls(seed);
		for (int step = 0; step < STEPS; step++) {
			first.get(0).setSeconds(calls.nextTime());
			int limit = calls.chance(20) ? 1 : 0;
			String[] call = calls.next();

			List<Long> answer = first.get(limit).ask(call[0], KEY, calls.arguments(call));

			String told = "seed " + seed + ", step " + step + ", limit " + limit + ": " + String.join(" ", call);
			assertThat(answer).as(told).isEqualTo(rest.get(limit).ask(call[0], KEY, calls.arguments(call)));
			assertThat(first.get(0).state(KEY)).as(told).isEqualTo(rest.get(0).state(KEY));
			assertThat(first.get(0).expiry(KEY)).as(told).isCloseTo(rest.get(0).expiry(KEY), within(MINUTE * 500L));
			calls.heard(call, answer);
		}
	}

	/** Random calls of a few nodes, and later of many; not all are heard of. */
	private static final class Calls {

		private final Random random;

		private final List<String> unheard = new ArrayList<>();

		private long now = 1_000 * DAY.toSeconds();

		private int number;

		Calls(long seed) {
			this.random = new Random(seed);
		}

		/** Returns whether one of so many cases is there. */
		boolean chance(int cases) {
			return this.random.nextInt(cases) == 0;
		}

		/** Returns a time that is a while later, and now and then earlier. */
		long nextTime() {
			int minutes = chance(10) ? 300 : 10;
			this.now += (long) MINUTE * this.random.nextInt(minutes);
			return chance(15) ? this.now - MINUTE * 20 : this.now;
		}

		String[] next() {
			if (chance(12) && !this.unheard.isEmpty()) {
				return new String[] { "undo", this.unheard.remove(0), "1" };
			}
			int nodes = (this.number < STEPS / 2) ? 3 : 50;
			String id = "no" + (10 + this.random.nextInt(nodes)) + (10 + this.number++ % 90);
			if (chance(25)) {
				return new String[] { "enter", "node.1.1", "-1", "9", "1000000000", id };
			}
			if (chance(5)) {
				return new String[] { "leave", "node.1.1" };
			}
			int permits = chance(5) ? 1 + this.random.nextInt(5) : 1;
			int count = chance(3) ? 1 + this.random.nextInt(4) : 1;
			int ahead = chance(3) ? this.random.nextInt(4) : 0;
			return new String[] { "take", "" + permits, "" + count, "" + ahead, id };
		}

		/** Returns what the script is told: calls name those that are not heard of. */
		String[] arguments(String[] call) {
			List<String> arguments = new ArrayList<>(List.of(call).subList(1, call.length));
			if (call[0].equals("take") || call[0].equals("enter")) {
				arguments.add(String.join(" ", this.unheard));
			}
			return arguments.toArray(new String[0]);
		}

		void heard(String[] call, List<Long> answer) {
			if (call[0].equals("take") && answer.get(0) == 0 && chance(4)) {
				this.unheard.add(call[4]);
			}
			if (this.unheard.size() > 3) {
				this.unheard.remove(this.random.nextInt(this.unheard.size()));
			}
		}

	}

}
