package dev.sluice.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Values in the states of limits that another program has written: decisions and
 * heartbeats succeed, and waiters are served in their order, one a place.
 */
class RedisUnreadableLimitsTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final Duration LONGER = Duration.ofDays(20);

	private static final Duration SOON = Duration.ofSeconds(20);

	/** Distance of the changes that are tried. */
	private static final int STEP = Boolean.getBoolean("sluice.test.full") ? 1 : 11;

	private static final List<String> TEXTS = List.of("", "garbage", "7", "-1", "inf", "nan", "1e300",
			"9223372036854775807", "99999999999999999999", "\u0000");

	private static final List<String> SCORES = List.of("inf", "-inf", "1e300", "0", "9007199254740993", "-1.5");

	private static final List<String> MEMBERS = List.of("", "garbage", "x", "x.1", "x.1.", "x.1.1", "x.1.y.z",
			"x.1.99999999999999999999.z", "\u0000");

	/** Values of other types for a packed state, as Lua writes them. */
	private static final List<String> PACKED = List.of("1/0", "0/0", "-1", "1e300", "2^60", "'x'", "{}", "nil");

	private static final AtomicInteger PREFIXES = new AtomicInteger();

	private static RedisServer server;

	private static RedisClient client;

	private static StatefulRedisConnection<String, String> connection;

	private final String prefix = "unreadable" + PREFIXES.incrementAndGet() + ':';

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		connection = client.connect();
	}

	@AfterAll
	static void stop() {
		client.shutdown();
		server.close();
	}

	@AfterEach
	void close() {
		this.stores.forEach(RedisThrottleStore::close);
		redis().flushall();
	}

	private static RedisCommands<String, String> redis() {
		return connection.sync();
	}

	private ThrottlingManager node() {
		RedisThrottleStore store = RedisThrottleStore.builder(client)
			.keyPrefix(this.prefix)
			.timeout(Duration.ofSeconds(20))
			.lease(Duration.ofSeconds(3))
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build();
	}

	/** Limits of one permit, or of one permit a period. */
	enum Kind {

		SLIDING_LOG, FIXED_WINDOW, SLIDING_WINDOW, TOKEN_BUCKET, DYNAMIC_WINDOW, SEMAPHORE, MUTEX;

		Limit limit(Duration period) {
			return switch (this) {
				case SLIDING_LOG -> Limit.slidingLog(1, period);
				case FIXED_WINDOW -> Limit.fixedWindow(1, period);
				case SLIDING_WINDOW -> Limit.slidingWindow(1, period, 3);
				case TOKEN_BUCKET -> Limit.tokenBucket(1, 1, period);
				case DYNAMIC_WINDOW -> Limit.dynamicWindow(1000, 1, 1, period, 3);
				case SEMAPHORE -> Limit.semaphore(1);
				case MUTEX -> Limit.mutex();
			};
		}

	}

	/** A change of one key. */
	private record Plant(String description, Runnable change) {

		@Override
		public String toString() {
			return this.description;
		}

	}

	private static Plant plant(String key, String description, Runnable change) {
		return new Plant(key + ": " + description.replace("\u0000", "NUL"), change);
	}

	/** Returns what another program can do to a key. */
	private static List<Plant> plants(String key) {
		List<Plant> plants = new ArrayList<>();
		String type = redis().type(key);
		switch (type) {
			case "string" -> {
				TEXTS.forEach((text) -> plants.add(plant(key, "SET " + text, () -> redis().set(key, text))));
				PACKED.forEach((value) -> plants.add(plant(key, "pack " + value, () -> repack(key, value))));
			}
			case "list" -> TEXTS.forEach((text) -> {
				plants.add(plant(key, "LSET 0 " + text, () -> redis().lset(key, 0, text)));
				plants.add(plant(key, "LSET -1 " + text, () -> redis().lset(key, -1, text)));
				plants.add(plant(key, "RPUSH " + text, () -> redis().rpush(key, text)));
			});
			case "hash" -> TEXTS.forEach((text) -> {
				plants.add(plant(key, "HSET " + text, () -> {
					redis().hkeys(key).forEach((field) -> redis().hset(key, field, text));
					redis().hset(key, text, text);
				}));
			});
			case "zset" -> SCORES.forEach((score) -> {
				plants.add(plant(key, "ZADD " + score, () -> {
					redis().zrange(key, 0, -1).forEach((member) -> zadd(key, score, member));
					TEXTS.forEach((text) -> zadd(key, score, text));
				}));
			});
			default -> {
				// another type is not replaced before the next renewal
			}
		}
		List.of("SET 1 x", "HSET 1 x x", "RPUSH 1 x", "SADD 1 x", "ZADD 1 1 x", "XADD 1 * x x")
			.forEach((command) -> plants.add(plant(key, command, () -> {
				List<String> words = new ArrayList<>(List.of(command.split(" ")));
				words.set(1, key);
				redis().eval("redis.call('DEL', KEYS[1]) redis.call(unpack(ARGV)) return 1", ScriptOutputType.INTEGER,
						new String[] { key }, words.toArray(new String[0]));
			})));
		return plants;
	}

	private static void zadd(String key, String score, String member) {
		redis().eval("return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])", ScriptOutputType.INTEGER,
				new String[] { key }, score, member);
	}

	/**
	 * Replaces all values of a packed state but its version and kind, and those within.
	 */
	private static void repack(String key, String value) {
		redis().eval("""
				local values, other = { cmsgpack.unpack(redis.call('GET', KEYS[1])) }, %s
				for i = 3, #values do
					if type(values[i]) == 'table' then
						for j = 1, #values[i] do values[i][j] = other end
					else
						values[i] = other
					end
				end
				if #values > 2 then redis.call('SET', KEYS[1], cmsgpack.pack(unpack(values))) end
				return 1
				""".formatted(value), ScriptOutputType.INTEGER, new String[] { key });
	}

	@ParameterizedTest
	@EnumSource
	void everythingThatIsStoredMayBeUnreadable(Kind kind) throws Exception {
		Throttle one = node().addOrUpdate("quotes", kind.limit(LONG));
		Throttle other = node().addOrUpdate("quotes", kind.limit(LONG));
		List<CompletableFuture<Permit>> waiting = new ArrayList<>();
		boolean more = true;
		for (int number = kind.ordinal() % STEP; more; number += STEP) {
			String key = "k" + number;
			Permit held = one.acquire(key, 1, LONGER).get(30, TimeUnit.SECONDS);
			CompletableFuture<Permit> waiter = other.acquire(key, 1, LONGER);
			await().pollInterval(Duration.ofMillis(3)).atMost(SOON).until(() -> one.state(key).waiting() == 1);
			one.snapshot(1);
			List<Plant> plants = redis().keys(this.prefix + '*')
				.stream()
				.filter((name) -> name.contains(key + '}') || !name.matches(".*[:{]k\\d+}.*"))
				.sorted()
				.flatMap((name) -> plants(name).stream())
				.toList();
			Plant plant = plants.get(number);
			plant.change().run();
			for (Throttle throttle : List.of(one, other)) {
				assertThat(throttle.tryAcquire(key)).as("%s", plant)
					.satisfies((decision) -> assertThat(decision.reason()).isNotEqualTo(Decision.Reason.STORE));
				throttle.state(key);
				throttle.snapshot(1);
			}
			this.stores.forEach(StoreAccess::beat);
			assertNothingFailed(plant);
			held.close();
			one.forget(key);
			waiting.add(waiter);
			more = number + STEP < plants.size();
		}
		waiting.forEach((waiter) -> waiter.cancel(true));
		one.acquire("new", 1, LONGER).get(30, TimeUnit.SECONDS).close();
		assertNothingFailed(null);
	}

	private void assertNothingFailed(@Nullable Plant plant) {
		assertThat(this.stores).as("%s", plant).allSatisfy((store) -> assertThat(store.snapshot().failed()).isZero());
	}

	/** Each waiter is in the line before the next call. */
	@ParameterizedTest
	@EnumSource
	void waitersBehindUnreadableOnesAreServedInOrder(Kind kind) throws Exception {
		List<Throttle> nodes = List.of(node().addOrUpdate("quotes", kind.limit(LONG)),
				node().addOrUpdate("quotes", kind.limit(LONG)));
		Permit first = nodes.get(0).acquire("k", 1, LONGER).get(30, TimeUnit.SECONDS);
		String line = this.prefix + ((kind == Kind.DYNAMIC_WINDOW) ? "{quotes}{k}:line" : "{quotes:k}:line");
		List<Integer> order = new CopyOnWriteArrayList<>();
		for (int number = 0; number < 3; number++) {
			int each = number;
			CompletableFuture<Permit> waiter = nodes.get(number % 2).acquire("k", 1, LONGER);
			await().atMost(SOON).until(() -> redis().zcard(line) == each + 1);
			waiter.whenComplete((permit, failure) -> {
				order.add(each);
				permit.close();
			});
		}
		MEMBERS.forEach((member) -> {
			zadd(line, "0", member);
			zadd(line, "-inf", member + 'y');
			zadd(line, "inf", member + 'z');
		});
		first.close();
		await().pollInterval(Duration.ofMillis(20)).atMost(SOON).until(() -> {
			nodes.get(0).forget("k");
			return order.size() == 3;
		});
		assertThat(order).containsExactly(0, 1, 2);
		nodes.get(0).forget("k");
		assertThat(nodes.get(1).acquire("k", 1, LONGER).get(20, TimeUnit.SECONDS)).isNotNull();
		assertNothingFailed(null);
	}

	@ParameterizedTest
	@EnumSource(names = { "SEMAPHORE", "MUTEX" })
	void waitersWhosePlacesAreEqualOrNoTimeGetOneEach(Kind kind) throws Exception {
		for (String score : List.of("inf", "1e300", "5", "-inf")) {
			Throttle one = node().addOrUpdate("quotes", kind.limit(LONG));
			Permit first = one.acquire(score, 1, LONGER).get(30, TimeUnit.SECONDS);
			List<CompletableFuture<Permit>> waiting = new ArrayList<>();
			for (int number = 0; number < 3; number++) {
				waiting.add(one.acquire(score, 1, LONGER));
			}
			await().atMost(SOON).until(() -> one.state(score).waiting() == 3);
			String line = this.prefix + "{quotes:" + score + "}:line";
			redis().zrange(line, 0, -1).forEach((member) -> zadd(line, score, member));
			first.close();
			for (int served = 1; served <= 3; served++) {
				CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)).get(20, TimeUnit.SECONDS);
				List<CompletableFuture<Permit>> granted = waiting.stream().filter(CompletableFuture::isDone).toList();
				assertThat(granted).hasSize(1);
				assertThat(one.state(score).used()).isOne();
				waiting.removeAll(granted);
				granted.get(0).join().close();
			}
		}
		assertNothingFailed(null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "inf", "1e300", "9007199254740993" })
	void nodeWhoseLeaseIsNoTimeIsNotAlive(String score) {
		node();
		node();
		this.stores.forEach(StoreAccess::beat);
		String nodes = this.prefix + "nodes";
		await().atMost(SOON).until(() -> redis().zcard(nodes) == 2);
		zadd(nodes, score, "stranger");
		this.stores.forEach(StoreAccess::beat);
		await().atMost(SOON).until(() -> redis().zcard(nodes) == 2);
		assertThat(redis().zscore(nodes, "stranger")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "", "inf", "9223372036854775807", "99999999999999999999999", "-5", "1.5" })
	void unreadableCountsCountFromZero(String text) {
		Throttle throttle = node().addOrUpdate("quotes", Limit.slidingLog(10, LONG));
		String counts = this.prefix + "counts:quotes";
		throttle.tryAcquire("k");
		assertThat(throttle.snapshot(1).admitted()).isOne();
		redis().hset(counts, "admitted", text);
		throttle.tryAcquire("k");
		assertThat(throttle.snapshot(1).admitted()).isBetween(0L, 1L);
		redis().hdel(counts, "admitted");
		throttle.tryAcquire("k");
		assertThat(throttle.snapshot(1).admitted()).isOne();
		assertNothingFailed(null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "garbage", "7", "7 ", "x rate type=mutex", "99999999999999999999 rate x", "\u0000" })
	void definitionWithoutVersionOrKindIsReplaced(String text) {
		redis().set(this.prefix + "limit:quotes", text);
		assertThat(node().find("quotes")).isEmpty();
		Throttle throttle = node().addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		assertThat(redis().get(this.prefix + "limit:quotes")).startsWith("1 rate type=sliding-log");
		redis().set(this.prefix + "limit:quotes", text);
		Throttle changed = node().addOrUpdate("quotes", Limit.slidingLog(2, LONG));
		assertThat(changed.tryAcquire("k").admitted()).isTrue();
		assertThat(redis().get(this.prefix + "limit:quotes")).contains("limit=2");
		assertNothingFailed(null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "7 rate garbage", "7 rate type=later limit=1", "7 held type=mutex", "7 other x=y" })
	void definitionOfALaterVersionRemainsAndEachNodeUsesItsOwn(String text) {
		String key = this.prefix + "limit:quotes";
		redis().set(key, text);
		assertThat(node().find("quotes")).isEmpty();
		ThrottlingManager manager = node();
		Throttle throttle = manager.addOrUpdate("quotes", Limit.slidingLog(1, LONG));
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(redis().get(key)).isEqualTo(text);
		redis().del(key);
		assertThat(manager.addOrUpdate("quotes", Limit.slidingLog(2, LONG)).tryAcquire("k").admitted()).isTrue();
		assertThat(redis().get(key)).matches("[12] rate type=sliding-log limit=.+");
		manager.remove("quotes");
		assertNothingFailed(null);
	}

	@Test
	void nothingIsReplacedWhereEverythingIsReadable() {
		Throttle throttle = node().addOrUpdate("quotes", Limit.slidingLog(3, LONG));
		for (int number = 0; number < 3; number++) {
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		}
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(throttle.state("k").used()).isEqualTo(3);
	}

}
