package dev.sluice.redis.rate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.sluice.redis.RedisServer;
import dev.sluice.redis.RedisThrottleStore;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Nodes that take permits ahead. */
@Execution(ExecutionMode.CONCURRENT)
class PermitPrefetchTests {

	private static final Duration LONG = Duration.ofDays(1);

	private static final int BATCH = 10;

	private static final Duration KEPT = Duration.ofMillis(100);

	private final String name = "hot-" + UUID.randomUUID();

	private final List<RedisThrottleStore> stores = new ArrayList<>();

	private RedisServer server;

	private RedisClient client;

	private StatefulRedisConnection<String, String> connection;

	@BeforeEach
	void start() {
		this.server = RedisServer.start();
		this.client = this.server.client();
		this.connection = this.client.connect();
	}

	@AfterEach
	void stop() {
		this.connection.close();
		this.stores.forEach(RedisThrottleStore::close);
		this.client.shutdown();
		this.server.close();
	}

	private Throttle node(Limit limit, int batch) {
		RedisThrottleStore store = RedisThrottleStore.builder(this.client)
			.timeout(Duration.ofSeconds(20))
			.batch(batch)
			.build();
		this.stores.add(store);
		return ThrottlingManager.builder().store(store).build().addOrUpdate(this.name, limit);
	}

	private long scripts() {
		RedisCommands<String, String> redis = this.connection.sync();
		Matcher calls = Pattern.compile("cmdstat_eval(sha)?:calls=(\\d+)").matcher(redis.info("commandstats"));
		long sum = 0;
		while (calls.find()) {
			sum += Long.parseLong(calls.group(2));
		}
		return sum;
	}

	static Stream<Limit> rates() {
		return Stream.of(Limit.slidingLog(1_000, LONG), Limit.fixedWindow(1_000, LONG),
				Limit.slidingWindow(1_000, LONG, 3), Limit.dynamicWindow(1_000, 1, 1_000, LONG, 3),
				Limit.tokenBucket(1_000, 1, LONG));
	}

	@ParameterizedTest
	@MethodSource("rates")
	void keyThatIsCalledOftenTakesFewRoundTripsAndItsWholeLimit(Limit limit) {
		Throttle throttle = node(limit, 50);
		long before = scripts();

		long admitted = IntStream.range(0, 1_100).filter((i) -> throttle.tryAcquire("k").admitted()).count();

		assertThat(admitted).isEqualTo(1_000);
		assertThat(scripts() - before).isLessThan(700);
		assertThat(throttle.tryAcquire("k").retryAfter()).isPositive();
		assertThat(throttle.state("k").used()).isEqualTo(1_000);
		assertThat(throttle.snapshot(0).admitted()).isEqualTo(1_000);
		assertThat(throttle.snapshot(0).rejected()).isEqualTo(101);
	}

	@Test
	void callersThatWaitForTheServerAreServedByOneScript() {
		Throttle throttle = node(Limit.slidingLog(20, LONG), BATCH);
		Throttle elsewhere = node(Limit.slidingLog(20, LONG), 1);
		throttle.tryAcquire("warm");
		long before = scripts();
		this.server.pause();

		List<CompletableFuture<Permit>> calls = Stream.generate(() -> throttle.acquire("k", 1, Duration.ZERO))
			.limit(32)
			.toList();
		this.server.goOn();

		await().atMost(60, TimeUnit.SECONDS).until(() -> calls.stream().allMatch(CompletableFuture::isDone));
		assertThat(scripts() - before).as("two, and some renewals").isBetween(2L, 15L);
		assertThat(calls.stream().filter((call) -> !call.isCompletedExceptionally())).hasSize(20);
		assertThat(calls.subList(0, 20)).allMatch((call) -> !call.isCompletedExceptionally());
		assertThat(elsewhere.tryAcquire("k").admitted()).isFalse();
	}

	@Test
	void callsForSeveralPermitsGetAllOrNone() {
		Throttle throttle = node(Limit.tokenBucket(20, 1, LONG), BATCH);

		assertThat(throttle.tryAcquire("k", 7).admitted()).isTrue();
		assertThat(throttle.tryAcquire("k", 7).admitted()).isTrue();
		assertThat(throttle.tryAcquire("k", 7).admitted()).isFalse();
		assertThat(throttle.tryAcquire("k", 20).retryAfter()).isGreaterThan(LONG);
		await().atMost(60, TimeUnit.SECONDS).until(() -> throttle.tryAcquire("k", 6).admitted());
		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
	}

	@ParameterizedTest
	@MethodSource("rates")
	void whatIsNotUsedIsGivenBackInAMoment(Limit limit) {
		Throttle throttle = node(limit, 50);
		for (int i = 0; i < 100; i++) {
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
		}

		await().atMost(60, TimeUnit.SECONDS).until(() -> throttle.state("k").used() == 100);

		Throttle exact = node(limit, 1);
		for (int i = 0; i < 900; i++) {
			assertThat(exact.tryAcquire("k").admitted()).isTrue();
		}
		assertThat(exact.tryAcquire("k").admitted()).isFalse();
	}

	@Test
	void permitOfALotIsUsedOrGivenBackAndNeverBoth() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(3);
		for (int i = 0; i < 2_000; i++) {
			PermitPrefetch.PermitBatch batch = new PermitPrefetch.PermitBatch(100, 0,
					System.nanoTime() + LONG.toNanos());
			CyclicBarrier start = new CyclicBarrier(3);
			List<Future<Integer>> shares = new ArrayList<>();
			for (int permits = 1; permits <= 2; permits++) {
				int each = permits;
				shares.add(executor.submit(() -> {
					start.await();
					int taken = 0;
					while (batch.take(each)) {
						taken += each;
					}
					return taken;
				}));
			}
			shares.add(executor.submit(() -> {
				start.await();
				return batch.close();
			}));
			int sum = 0;
			for (Future<Integer> share : shares) {
				sum += share.get(60, TimeUnit.SECONDS);
			}
			assertThat(sum).isEqualTo(100);
			assertThat(batch.take(1)).isFalse();
		}
		executor.shutdown();
	}

	@Test
	void nodeThatIsClosedGivesBackWhatItHasNotUsed() {
		Limit limit = Limit.slidingLog(1_000, LONG);
		Throttle throttle = node(limit, 200);
		Throttle exact = node(limit, 1);
		int used = 0;
		while (exact.state("k").used() <= used) {
			assertThat(throttle.tryAcquire("k").admitted()).isTrue();
			used++;
		}
		int taken = used;

		this.stores.get(0).close();

		await().atMost(60, TimeUnit.SECONDS).until(() -> exact.state("k").used() == taken);
	}

	@Test
	void whatWasTakenInOneWindowIsNotUsedInTheNext() {
		Limit limit = Limit.fixedWindow(40, Duration.ofSeconds(1));
		Throttle throttle = node(limit, 20);
		Throttle exact = node(limit, 1);
		boolean tried = false;
		while (!tried) {
			long window = micros() / 1_000_000;
			awaitMicros((window + 1) * 1_000_000 - KEPT.toNanos() / 2_000);
			int used = 0;
			while (used < 10 && throttle.tryAcquire("k").admitted()) {
				used++;
			}
			boolean ahead = exact.state("k").used() > used && micros() / 1_000_000 == window;
			awaitMicros((window + 1) * 1_000_000 + 1_000);
			int taken = 0;
			while (exact.tryAcquire("k").admitted()) {
				taken++;
			}
			boolean admitted = throttle.tryAcquire("k").admitted();
			tried = ahead && taken == 40 && micros() / 1_000_000 == window + 1;
			assertThat(tried && admitted).isFalse();
		}
	}

	private static void awaitMicros(long time) {
		while (micros() < time) {
			LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(time - micros()));
		}
	}

	@Test
	void otherNodesMissNoMoreThanABatchEach() {
		Limit limit = Limit.fixedWindow(200, LONG);
		List<Throttle> nodes = List.of(node(limit, BATCH), node(limit, BATCH), node(limit, BATCH));
		int admitted = 0;
		for (int i = 0; i < 130; i++) {
			admitted += nodes.get(i % 2).tryAcquire("k").admitted() ? 1 : 0;
		}
		assertThat(admitted).isEqualTo(130);

		while (nodes.get(2).tryAcquire("k").admitted()) {
			admitted++;
		}

		assertThat(admitted).isBetween(200 - 2 * (BATCH - 1), 200);
	}

	@Test
	void whoWaitsElsewhereIsNotPassedForLong() throws Exception {
		Limit limit = Limit.slidingLog(20, Duration.ofMillis(200));
		Throttle greedy = node(limit, BATCH);
		Throttle modest = node(limit, BATCH);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		Future<Integer> flood = executor.submit(() -> {
			int admitted = 0;
			while (!Thread.currentThread().isInterrupted()) {
				admitted += greedy.tryAcquire("k").admitted() ? 1 : 0;
			}
			return admitted;
		});
		try {
			for (int i = 0; i < 20; i++) {
				assertThat(modest.acquire("k", 5, Duration.ofMinutes(1)).get(60, TimeUnit.SECONDS)).isNotNull();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(flood.get(60, TimeUnit.SECONDS)).isPositive();
	}

	@Test
	void callInLineLeavesNothingBehind() {
		Throttle throttle = node(Limit.slidingLog(5, LONG), BATCH);
		for (int i = 0; i < 5; i++) {
			throttle.tryAcquire("k");
		}
		CompletableFuture<Permit> waiting = throttle.acquire("k", 2, LONG.multipliedBy(2));
		await().atMost(60, TimeUnit.SECONDS).until(() -> throttle.state("k").waiting() == 1);
		assertThat(throttle.tryAcquire("k").reason()).isEqualTo(Decision.Reason.LINE);

		waiting.cancel(false);

		await().atMost(60, TimeUnit.SECONDS).until(() -> throttle.state("k").waiting() == 0);
		assertThat(throttle.state("k").used()).isEqualTo(5);
	}

	@Test
	void changeOfALimitKeepsWhatWasUsed() {
		Throttle throttle = node(Limit.slidingLog(1_000, LONG), 50);
		Throttle elsewhere = node(Limit.slidingLog(1_000, LONG), 50);
		for (int i = 0; i < 200; i++) {
			assertThat(((i % 2 == 0) ? throttle : elsewhere).tryAcquire("k").admitted()).isTrue();
		}

		ThrottlingManager manager = ThrottlingManager.builder().store(this.stores.get(0)).build();
		manager.addOrUpdate(this.name, Limit.slidingWindow(300, LONG, 4), LimitOptions.builder().batch(1).build());

		await().atMost(60, TimeUnit.SECONDS).until(() -> elsewhere.options().batch() != null);
		await().atMost(60, TimeUnit.SECONDS).until(() -> throttle.state("k").used() == 200);
		for (int i = 0; i < 100; i++) {
			assertThat(elsewhere.tryAcquire("k").admitted()).isTrue();
		}
		assertThat(throttle.tryAcquire("k").admitted()).isFalse();
	}

	static Stream<Arguments> bounds() {
		Duration period = Duration.ofMillis(250);
		return Stream.of(Arguments.of(Limit.slidingLog(40, period), 40 + 3 * (BATCH - 1), 1),
				Arguments.of(Limit.fixedWindow(40, period), 40, 250_000),
				Arguments.of(Limit.slidingWindow(40, period, 5), 40, 50_000),
				Arguments.of(Limit.dynamicWindow(40, 1, 40, period, 5), 40, 50_000),
				Arguments.of(Limit.tokenBucket(40, 40, period), 2 * 40 + 3 * (BATCH - 1), 1));
	}

	@ParameterizedTest
	@MethodSource("bounds")
	void noWindowHasMoreThanIsStated(Limit limit, int most, long step) throws Exception {
		List<Throttle> nodes = List.of(node(limit, BATCH), node(limit, BATCH), node(limit, BATCH));
		ExecutorService executor = Executors.newFixedThreadPool(6);
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2_000);
		List<Future<List<long[]>>> histories = IntStream.range(0, 6).mapToObj((i) -> executor.submit(() -> {
			List<long[]> grants = new ArrayList<>();
			while (System.nanoTime() < end) {
				if (ThreadLocalRandom.current().nextInt(10) == 0) {
					LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(KEPT.toNanos()));
				}
				long before = micros();
				if (nodes.get(i % 3).tryAcquire("k").admitted()) {
					grants.add(new long[] { before, micros() });
				}
			}
			return grants;
		})).toList();
		List<long[]> grants = new ArrayList<>();
		for (Future<List<long[]>> history : histories) {
			grants.addAll(history.get(60, TimeUnit.SECONDS));
		}
		executor.shutdown();

		assertThat(grants).hasSizeGreaterThan(2 * 40);
		assertThat(fullest(grants, 250_000, step)).isLessThanOrEqualTo(most);
	}

	private static long micros() {
		return TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
	}

	/** Counts what lies for certain in a window that starts at a multiple of a step. */
	private static long fullest(List<long[]> grants, long length, long step) {
		return grants.stream().mapToLong((first) -> first[0] - first[0] % step).flatMap((start) -> {
			long within = grants.stream()
				.filter((grant) -> grant[0] >= start && grant[1] + 1_000 < start + length)
				.count();
			return LongStream.of(within);
		}).max().orElse(0);
	}

}
