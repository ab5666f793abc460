package dev.sluice.redis.concurrency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls of owners that wait for a semaphore, as the script keeps them. */
class RedisOwnersInLineTests {

	private static final long GRANTED = 0;

	private static final long WAITING = 3;

	private static final long WAITS_FOR_LESS = 5;

	private static final int LINE = 10_000;

	private final RedisServer server = RedisServer.start();

	private final RedisClient client = this.server.client();

	private final StatefulRedisConnection<String, String> connection = this.client.connect();

	private final RedisCommands<String, String> redis = this.connection.sync();

	private final String[] keys = new KeyNames("sluice:").holdingKeysOf("exports", "k");

	@AfterEach
	void close() {
		this.connection.close();
		this.client.shutdown();
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "newcomer", "me" })
	void waitOfAnOwnerCostsNoMoreInALongerLine(String owner) {
		assertThat(take("holder", 2)).isEqualTo(GRANTED);
		assertThat(enter(1, 1, "me")).isEqualTo(WAITING);
		long amongFew = leastMicros(() -> enterAndLeave(owner));

		Object[] line = IntStream.range(2, LINE)
			.boxed()
			.flatMap((place) -> Stream.of((double) place, "node." + place + ".1.owner " + place))
			.toArray();
		this.redis.zadd(this.keys[1], line);

		assertThat(leastMicros(() -> enterAndLeave(owner))).isLessThan(5 * amongFew);
	}

	@Test
	void placeOfAnOwnerIsForWhatTheFirstOfItsCallsWants() {
		take("holder", 2);
		assertThat(enter(9, 2, "me")).isEqualTo(WAITING);
		assertThat(enter(10, 1, "me")).isEqualTo(WAITING);
		assertThat(enter(11, 2, "me")).isEqualTo(WAITING);
		assertThat(enter(12, 3, "me")).isEqualTo(WAITS_FOR_LESS);
		assertThat(enter(13, 1, "you")).isEqualTo(WAITING);

		ask("free", "holder", "0");

		assertThat(ask("look")).startsWith(2L, 1L, "me", 2L);
	}

	@Test
	void placeOfAnOwnerIsKeptWhileACallIsInItAndNoLonger() {
		take("holder", 2);
		enter(1, 2, "me");
		enter(2, 1, "me");
		enter(3, 1, "you");
		assertThat(this.redis.hgetall(this.keys[3])).containsOnlyKeys("me", "you");
		assertThat(this.redis.pttl(this.keys[3])).isPositive();

		leave(1, 2, "me");
		assertThat(enter(4, 2, "me")).isEqualTo(WAITING);
		leave(2, 1, "me");
		leave(4, 2, "me");
		assertThat(this.redis.hgetall(this.keys[3])).containsOnlyKeys("you");
		ask("free", "holder", "0");

		assertThat(this.redis.keys("*")).containsExactly(this.keys[0]);
	}

	@Test
	void ownerWhoseNodeHasDiedHasNoPlace() {
		take("holder", 2);
		enter(1, 1, "dead");
		this.redis.hset(this.keys[2], "node", "0");

		assertThat(enter(2, 2, "dead")).isEqualTo(WAITING);

		assertThat(this.redis.hgetall(this.keys[3])).hasEntrySatisfying("dead",
				(place) -> assertThat(place).endsWith(" 2"));
	}

	@Test
	void ownerIsServedByALoweredLimit() {
		take("holder", 2);
		enter(1, 2, "me");
		enter(2, 1, "me");
		leave(1, 2, "me");

		ask(1, "free", "holder", "0");

		assertThat(ask(1, "look")).startsWith(1L, 0L, "me", 1L);
	}

	private long take(String owner, int permits) {
		return (long) ask("take", owner, Integer.toString(permits), "node-0").get(0);
	}

	private long enter(int number, int permits, String owner) {
		return (long) ask("enter", member(number, permits, owner), "1").get(0);
	}

	private void leave(int number, int permits, String owner) {
		assertThat(ask("leave", member(number, permits, owner))).containsExactly(1L);
	}

	private static String member(int number, int permits, String owner) {
		return "node." + number + '.' + permits + '.' + owner;
	}

	private List<Object> ask(String operation, String... arguments) {
		return ask(2, operation, arguments);
	}

	private List<Object> ask(int limit, String operation, String... arguments) {
		List<String> all = new ArrayList<>(List.of(operation, "sluice:node:", "node", Integer.toString(limit),
				Long.toString(Duration.ofHours(1).toNanos() / 1_000), Integer.toString(2 * LINE), "sluice:grants:"));
		all.addAll(List.of(arguments));
		return this.redis.eval(Script.CONCURRENCY.text(), ScriptOutputType.MULTI, this.keys,
				all.toArray(new String[0]));
	}

	private long enterAndLeave(String owner) {
		this.redis.configResetstat();
		assertThat(enter(LINE, 1, owner)).isEqualTo(WAITING);
		Matcher stat = Pattern.compile("cmdstat_eval:calls=1,usec=(\\d+)").matcher(this.redis.info("commandstats"));
		assertThat(stat.find()).isTrue();
		leave(LINE, 1, owner);
		return Long.parseLong(stat.group(1));
	}

	/** Returns how long the server takes when nothing disturbs it. */
	private static long leastMicros(Supplier<Long> entry) {
		return LongStream.generate(entry::get).limit(20).min().getAsLong();
	}

}
