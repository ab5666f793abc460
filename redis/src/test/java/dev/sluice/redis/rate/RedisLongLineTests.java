package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.throttle.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls that are rejected behind a line of many, at a time that is set. */
class RedisLongLineTests {

	private static final int LINE = 5000;

	private static final Duration PERIOD = Duration.ofSeconds(100);

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final StatefulRedisConnection<String, String> connection = this.client.connect();

	private final RedisCommands<String, String> redis = this.connection.sync();

	@AfterEach
	void close() {
		this.connection.close();
		this.client.shutdown();
		this.server.close();
	}

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(10, PERIOD), Limit.fixedWindow(10, PERIOD),
				Limit.slidingWindow(10, PERIOD, 4), Limit.dynamicWindow(10, 1, 10, PERIOD, 4),
				Limit.tokenBucket(10, 10, PERIOD));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void rejectionTellsWhenTheLineWouldHaveBeenServed(Limit limit) {
		RateScript script = usedUp(limit);
		haveWait(limit, LINE);

		Duration served = (limit instanceof Limit.TokenBucket) ? PERIOD.dividedBy(10).multipliedBy(LINE + 1)
				: PERIOD.multipliedBy(LINE / 10 + 1);
		long micros = TimeUnit.NANOSECONDS.toMicros(served.toNanos());
		assertThat(script.take("k", 1)).isBetween(micros - micros / 100, micros);
	}

	@ParameterizedTest
	@MethodSource("rates")
	void rejectionCostsNoMoreBehindALongerLine(Limit limit) {
		RateScript script = usedUp(limit);
		haveWait(limit, LINE / 50);
		long behindFew = leastMicros(script);

		haveWait(limit, LINE);

		assertThat(leastMicros(script)).isLessThan(5 * behindFew);
	}

	/** Uses the limit up. */
	private RateScript usedUp(Limit limit) {
		RateScript script = new RateScript(this.redis, limit, "quotes");
		script.setSeconds(1_000_000);
		assertThat(script.take("k", 10)).isZero();
		return script;
	}

	/** Has so many calls wait for one permit each. */
	private void haveWait(Limit limit, int calls) {
		KeyNames names = new KeyNames("sluice:");
		String[] keys = (limit instanceof Limit.DynamicWindow) ? names.sharingKeysOf("quotes", "k")
				: names.keysOf("quotes", "k");
		Object[] line = IntStream.range(0, calls)
			.boxed()
			.flatMap((place) -> Stream.of((double) place, "node." + place + ".1"))
			.toArray();
		this.redis.zadd(keys[1], line);
		this.redis.hset(keys[2], "node", "1500000000000000");
	}

	/** Returns how long the server takes for a rejection when nothing disturbs it. */
	private long leastMicros(RateScript script) {
		return LongStream.generate(() -> {
			this.redis.configResetstat();
			script.take("k", 1);
			Matcher stat = Pattern.compile("cmdstat_eval:calls=1,usec=(\\d+)").matcher(this.redis.info("commandstats"));
			assertThat(stat.find()).isTrue();
			return Long.parseLong(stat.group(1));
		}).limit(20).min().getAsLong();
	}

}
