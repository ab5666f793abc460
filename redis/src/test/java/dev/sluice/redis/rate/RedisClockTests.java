package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.throttle.Limit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers that take over and whose clocks are wrong. */
class RedisClockTests {

	private static final Duration PERIOD = Duration.ofHours(1);

	/** A full multiple of the period. */
	private static final long NOW = 1_000 * PERIOD.toSeconds();

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

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(4, PERIOD), Limit.fixedWindow(4, PERIOD), Limit.slidingWindow(4, PERIOD, 6),
				Limit.dynamicWindow(4, 1, 4, PERIOD, 6), Limit.tokenBucket(4, 4, PERIOD));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void clockThatIsBehindNeitherGrantsNorDelays(Limit limit) {
		RateScript rate = new RateScript(connection.sync(), limit, limit.type());
		rate.setSeconds(NOW);
		assertThat(rate.take("k", 4)).isZero();
		List<Long> waits = List.of(rate.take("k", 1), rate.take("k", 4));
		assertThat(waits).allMatch((wait) -> wait > 0);

		rate.setSeconds(NOW - 2 * PERIOD.toSeconds());

		assertThat(List.of(rate.take("k", 1), rate.take("k", 4))).isEqualTo(waits);
		rate.setSeconds(NOW + PERIOD.toSeconds());
		assertThat(rate.take("k", 4)).isZero();
	}

}
