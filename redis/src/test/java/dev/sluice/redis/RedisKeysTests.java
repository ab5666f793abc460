package dev.sluice.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.sluice.redis.connection.Script;
import dev.sluice.redis.throttle.Definition;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.throttle.internal.failover.FailoverThrottle;
import dev.sluice.throttle.store.StoredThrottle;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.awaitility.Awaitility.await;

/** What limits are in Redis: round trips, bytes, names and expiry. */
class RedisKeysTests {

	private static final Duration PERIOD = Duration.ofHours(1);

	private static RedisServer server;

	private static RedisClient client;

	private static RedisThrottleStore store;

	private static ThrottlingManager manager;

	private static StatefulRedisConnection<String, String> connection;

	private static RedisCommands<String, String> redis;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		client = server.client();
		store = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build();
		manager = ThrottlingManager.builder().store(store).build();
		connection = client.connect();
		redis = connection.sync();
	}

	@AfterAll
	static void stop() {
		connection.close();
		store.close();
		client.shutdown();
		server.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 32 })
	void decisionIsOneRoundTripAtMost(int callers) throws Exception {
		Throttle throttle = manager.addOrUpdate("trips-" + callers, Limit.tokenBucket(100, 1, PERIOD));
		throttle.tryAcquire("warm");
		long before = scripts();
		ExecutorService executor = Executors.newFixedThreadPool(callers);
		for (int i = 0; i < callers; i++) {
			executor.execute(() -> {
				for (int n = 0; n < 1_280 / callers; n++) {
					throttle.tryAcquire("k");
				}
			});
		}
		executor.shutdown();
		assertThat(executor.awaitTermination(60, TimeUnit.SECONDS)).isTrue();

		int renewalsAndCounts = 60;
		assertThat(scripts() - before).isLessThanOrEqualTo(1_280 + renewalsAndCounts);
		assertThat(throttle.snapshot(0).rejected()).isEqualTo(1_180);
	}

	private static long scripts() {
		Matcher calls = Pattern.compile("cmdstat_eval(sha)?:calls=(\\d+)").matcher(redis.info("commandstats"));
		long sum = 0;
		while (calls.find()) {
			sum += Long.parseLong(calls.group(2));
		}
		return sum;
	}

	@Test
	void keyOfATokenBucketOrAWindowTakesAHundredBytes() {
		manager.addOrUpdate("bucket", Limit.tokenBucket(1_000_000, 999_983, PERIOD)).tryAcquire("k", 999_999);
		manager.addOrUpdate("fixed", Limit.fixedWindow(1_000_000, PERIOD)).tryAcquire("k", 999_999);
		manager.addOrUpdate("sliding", Limit.slidingWindow(1_000_000, PERIOD, 3)).tryAcquire("k", 999_999);

		manager.addOrUpdate("daily1", Limit.tokenBucket(3, 1, Duration.ofDays(1))).tryAcquire("k", 3);
		manager.addOrUpdate("daily", Limit.fixedWindow(1_000_000, Duration.ofDays(1))).tryAcquire("k", 999_999);

		assertThat(redis.memoryUsage("sluice:{daily1:k}")).isLessThanOrEqualTo(100);
		assertThat(redis.memoryUsage("sluice:{daily:k}")).isLessThanOrEqualTo(100);
		assertThat(redis.memoryUsage("sluice:{bucket:k}")).isLessThanOrEqualTo(100);
		assertThat(redis.memoryUsage("sluice:{fixed:k}")).isLessThanOrEqualTo(100);
		assertThat(redis.memoryUsage("sluice:{sliding:k}")).isLessThanOrEqualTo(100);
	}

	@Test
	void permitOfALogTakesAFewBytesAndNoMoreAreKeptThanCount() {
		Throttle throttle = manager.addOrUpdate("log", Limit.slidingLog(1000, PERIOD));

		for (int i = 0; i < 1100; i++) {
			throttle.tryAcquire("k");
		}

		assertThat(redis.llen("sluice:{log:k}")).isEqualTo(1000);
		assertThat(redis.memoryUsage("sluice:{log:k}")).isLessThanOrEqualTo(1000 * 16);
	}

	@Test
	void logForgetsWhatHasPassed() throws Exception {
		Throttle throttle = manager.addOrUpdate("passing", Limit.slidingLog(100, Duration.ofMillis(10)));

		for (int i = 0; i < 300; i++) {
			throttle.acquire("k", 1, PERIOD).get(60, TimeUnit.SECONDS);
		}

		assertThat(redis.llen("sluice:{passing:k}")).isLessThanOrEqualTo(100);
	}

	@Test
	void stateExpiresWhenItDoesNotMatterAnyMore() {
		manager.addOrUpdate("brief", Limit.slidingLog(2, PERIOD)).tryAcquire("k");
		manager.addOrUpdate("filling", Limit.tokenBucket(100, 100, PERIOD)).tryAcquire("k", 50);

		assertThat(redis.pttl("sluice:{brief:k}")).isBetween(PERIOD.toMillis() / 2, PERIOD.toMillis() + 10);
		assertThat(redis.pttl("sluice:{filling:k}")).isBetween(PERIOD.toMillis() / 4, PERIOD.toMillis() / 2 + 10);
	}

	@Test
	void nothingIsKeptForEverThoughItsNodeDiesAtOnce() {
		List<Limit> limits = List.of(Limit.slidingLog(1, PERIOD), Limit.fixedWindow(1, PERIOD),
				Limit.slidingWindow(1, PERIOD, 3), Limit.dynamicWindow(1, 1, 1, PERIOD, 3),
				Limit.tokenBucket(1, 1, PERIOD), Limit.mutex(), Limit.semaphore(1));
		RedisThrottleStore dying = RedisThrottleStore.builder(client)
			.keyPrefix("dying:")
			.timeout(Duration.ofSeconds(10))
			.build();
		ThrottlingManager node = ThrottlingManager.builder().store(dying).build();
		for (Limit limit : limits) {
			Throttle throttle = node.addOrUpdate(limit.type(), limit);
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			throttle.acquire("k", 1, PERIOD.multipliedBy(9));
			await().until(() -> throttle.state("k").waiting() == 1);
			assertThat(throttle.snapshot(0).admitted()).isEqualTo(1);
		}

		dying.abandon();

		assertThat(redis.keys("dying:*")).hasSizeGreaterThan(4 * limits.size())
			.allSatisfy((key) -> assertThat(redis.pttl(key)).as(key).isPositive());
	}

	@Test
	void longerPeriodKeepsWhatWasUsedForLonger() {
		Throttle throttle = manager.addOrUpdate("longer", Limit.slidingLog(2, Duration.ofMinutes(1)));
		throttle.tryAcquire("k", 2);

		manager.addOrUpdate("longer", Limit.slidingLog(2, PERIOD));

		assertThat(redis.pttl("sluice:{longer:k}")).isGreaterThan(Duration.ofMinutes(2).toMillis());
		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
	}

	@Test
	void stateOfAnUnknownFormatIsNotTouched() {
		Throttle throttle = manager.addOrUpdate("newer", Limit.tokenBucket(2, 1, PERIOD));
		redis.eval("return redis.call('SET', KEYS[1], cmsgpack.pack(2, 'T', 1))", ScriptOutputType.STATUS,
				"sluice:{newer:k}");

		for (int i = 0; i < 10; i++) {
			assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.STORE);
		}
		assertThat(store.snapshot().unavailable()).isFalse();

		assertThat((String) redis.eval("return cjson.encode({cmsgpack.unpack(redis.call('GET', KEYS[1]))})",
				ScriptOutputType.VALUE, "sluice:{newer:k}"))
			.isEqualTo("[2,\"T\",1]");
	}

	@Test
	void stateCanBeReadByAnOperator() {
		manager.addOrUpdate("read", Limit.fixedWindow(9, PERIOD)).tryAcquire("k", 4);

		String state = redis.eval("return cjson.encode({cmsgpack.unpack(redis.call('GET', KEYS[1]))})",
				ScriptOutputType.VALUE, "sluice:{read:k}");

		assertThat(state).matches("\\[1,\"W\",3600000000,1,\\[\\d+,4],\"\\w{6}\"]");
		assertThat(redis.get("sluice:limit:read")).isEqualTo("1 rate type=fixed-window limit=9 period=PT1H "
				+ "dry-run=false max-keys=100000 at-max-keys=EVICT_IDLE max-waiting=10000");
	}

	@Test
	void nothingOfARemovedLimitIsLeft() {
		Throttle throttle = manager.addOrUpdate("gone[*]", Limit.slidingLog(2, PERIOD));
		throttle.tryAcquire("a");
		throttle.tryAcquire("b");
		throttle.acquire("b", 2, PERIOD.multipliedBy(9));
		assertThat(redis.keys("sluice:{gone*")).isNotEmpty();

		manager.remove("gone[*]");

		assertThat(redis.keys("sluice:{gone*")).isEmpty();
		assertThat(redis.get("sluice:limit:gone[*]")).isEqualTo("removed");
		assertThat(redis.pttl("sluice:limit:gone[*]")).isPositive();
	}

	@Test
	void nodeThatStartsWithAnotherKindIsToldToRemoveTheLimitFirst() {
		Throttle throttle = manager.addOrUpdate("kind", Limit.slidingLog(1, PERIOD));
		try (RedisThrottleStore other = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build()) {
			ThrottlingManager late = ThrottlingManager.builder().store(other).build();

			assertThatIllegalArgumentException().isThrownBy(() -> late.addOrUpdate("kind", Limit.mutex()))
				.withMessageContaining("remove it there first");
		}
		assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		assertThat(redis.get("sluice:limit:kind")).startsWith("1 rate type=sliding-log");
	}

	@Test
	void nodeThatMissedAChangeMakesItsOwnInRedis() {
		Limit limit = Limit.slidingLog(1, PERIOD);
		Throttle throttle = manager.addOrUpdate("missed", limit);
		redis.set("sluice:limit:missed",
				redis.get("sluice:limit:missed").replace("1 rate", "2 rate").replace("limit=1", "limit=5"));

		manager.addOrUpdate("missed", limit);

		assertThat(redis.get("sluice:limit:missed")).startsWith("3 rate type=sliding-log limit=1 ");
		assertThat(throttle.limit()).isEqualTo(limit);
	}

	@Test
	void changeThatComesTooLateReplacesNoNewerOne() {
		manager.addOrUpdate("late", Limit.slidingLog(1, PERIOD));
		manager.addOrUpdate("late", Limit.slidingLog(2, PERIOD));
		String newer = redis.get("sluice:limit:late");

		for (String operation : List.of("change", "open")) {
			String answer = redis.eval(Script.DEFINE.text(), ScriptOutputType.VALUE,
					new String[] { "sluice:limit:late" }, operation, "sluice:limits", "late",
					Definition.terms(Limit.slidingLog(9, PERIOD), LimitOptions.defaults()), "1000000", "1");
			assertThat(answer).isEqualTo(newer);
		}

		assertThat(redis.get("sluice:limit:late")).isEqualTo(newer);
	}

	@Test
	void nodeThatHearsOfARemovalAddsNoMoreToTheCounts() {
		try (RedisThrottleStore other = RedisThrottleStore.builder(client).timeout(Duration.ofSeconds(10)).build()) {
			Throttle elsewhere = ThrottlingManager.builder()
				.store(other)
				.build()
				.addOrUpdate("forgotten", Limit.slidingLog(9, PERIOD));
			manager.addOrUpdate("forgotten", Limit.slidingLog(9, PERIOD));
			elsewhere.tryAcquire("k");

			manager.remove("forgotten");
			await().until(() -> isRemoved(elsewhere));
			redis.del("sluice:counts:forgotten");

			await().during(Duration.ofSeconds(3)).until(() -> redis.exists("sluice:counts:forgotten") == 0);
		}
	}

	private static boolean isRemoved(Throttle throttle) {
		try {
			throttle.tryAcquire("k");
			return false;
		}
		catch (IllegalStateException ex) {
			return true;
		}
	}

	@Test
	void messageOfARemovalDoesNotUndoIt() {
		for (int i = 0; i < 300; i++) {
			manager.addOrUpdate("brief-" + i, Limit.mutex());
			manager.remove("brief-" + i);
		}

		for (int i = 0; i < 300; i++) {
			assertThat(redis.get("sluice:limit:brief-" + i)).isEqualTo("removed");
		}
	}

	@Test
	void interruptIsKeptForLater() {
		Throttle throttle = manager.addOrUpdate("interrupted", Limit.slidingLog(200, PERIOD));

		for (int i = 0; i < 100; i++) {
			Thread.currentThread().interrupt();
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void grantsInLineAreCountedAndWhatIsGivenBackIsNot() throws Exception {
		Throttle mutex = manager.addOrUpdate("counted-mutex", Limit.mutex());
		Throttle rate = manager.addOrUpdate("counted", Limit.slidingLog(1, Duration.ofMillis(500)));
		manager.addOrUpdate("uncounted", Limit.slidingLog(9, PERIOD));
		Permit permit = mutex.tryAcquire("k").permit();
		CompletableFuture<Permit> next = mutex.acquire("k", 1, PERIOD);
		permit.close();
		next.get(60, TimeUnit.SECONDS);
		rate.acquire("k", 1, PERIOD).get(60, TimeUnit.SECONDS);
		rate.acquire("k", 1, PERIOD).get(60, TimeUnit.SECONDS);
		AcquireRequest held = AcquireRequest.of("counted-mutex", "k");
		assertThat(manager.tryAcquire(AcquireRequest.of("uncounted", "k"), held).admitted()).isFalse();

		await().until(() -> mutex.snapshot(0).admitted() == 2);
		await().until(() -> rate.snapshot(0).admitted() == 2);
		await().until(() -> manager.get("uncounted").snapshot(0).admitted() == 0);
		await().until(() -> manager.get("uncounted").state("k").used() == 0);
	}

	@Test
	void nodeRemembersNoKeyThatItHasNothingToDoWith() {
		Limit limit = Limit.slidingLog(1, PERIOD);
		Throttle mutex = manager.addOrUpdate("idle-mutex", Limit.mutex());
		Throttle rate = manager.addOrUpdate("idle", limit);
		for (int i = 0; i < 100; i++) {
			mutex.tryAcquire("k" + i).permit().close();
			rate.tryAcquire("k" + i);
			CompletableFuture<Permit> waiting = rate.acquire("k" + i, 1, PERIOD.multipliedBy(2));
			waiting.cancel(false);
		}

		RedisThrottle mutexInRedis = inRedis("idle-mutex", Limit.mutex());
		RedisThrottle rateInRedis = inRedis("idle", limit);
		await().untilAsserted(() -> {
			assertThat(mutexInRedis).extracting("keys.states").asInstanceOf(MAP).isEmpty();
			assertThat(rateInRedis).extracting("lines.states").asInstanceOf(MAP).isEmpty();
			assertThat(rateInRedis).extracting("prefetches").asInstanceOf(MAP).isEmpty();
		});
	}

	private static RedisThrottle inRedis(String resource, Limit limit) {
		StoredThrottle opened = store.open(resource, limit, LimitOptions.defaults()).orElseThrow();
		return (RedisThrottle) ((FailoverThrottle<?>) opened).stored();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void threadThatMustNotBlockIsRejected(boolean ofNetty) {
		Throttle throttle = manager.addOrUpdate("reactive", Limit.slidingLog(2, PERIOD));

		CompletableFuture<Decision> outcome = new CompletableFuture<>();
		Executor executor = ofNetty ? (task) -> new FastThreadLocalThread(task).start()
				: (task) -> Schedulers.parallel().schedule(task);
		executor.execute(() -> {
			try {
				outcome.complete(throttle.tryAcquire("k"));
			}
			catch (IllegalStateException ex) {
				outcome.completeExceptionally(ex);
			}
		});

		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> outcome.get(60, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessageContaining("must not block");
	}

}
