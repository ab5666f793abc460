package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import dev.sluice.test.SettableClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DynamicWindowTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final SettableClock clock = new SettableClock();

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(Runnable::run)
		.build();

	private final Throttle tenants = this.manager.addOrUpdate("tenants", Limit.dynamicWindow(20, 2, 20, MINUTE, 6));

	@ParameterizedTest
	@CsvSource({ "1,'20'", "2,'10,10'", "3,'7,7,6'", "4,'5,5,5,5'", "10,'2,2,2,2,2,2,2,2,2,2'" })
	void capacityIsSharedOutAgainAsKeysCome(int keys, String shares) {
		IntStream.range(0, keys).forEach((i) -> assertThat(this.tenants.tryAcquire("k" + i).admitted()).isTrue());

		List<String> limits = IntStream.range(0, keys)
			.mapToObj((i) -> String.valueOf(this.tenants.state("k" + i).limit()))
			.toList();

		assertThat(String.join(",", limits)).isEqualTo(shares);
		for (int i = 0; i < keys; i++) {
			int share = Integer.parseInt(limits.get(i));
			for (int used = 1; used < share; used++) {
				assertThat(this.tenants.tryAcquire("k" + i).admitted()).isTrue();
			}
			assertThat(this.tenants.tryAcquire("k" + i).admitted()).isFalse();
		}
	}

	@Test
	void eleventhKeyIsRejectedUntilOneFallsIdle() {
		IntStream.range(0, 10).forEach((i) -> this.tenants.tryAcquire("k" + i));

		Decision decision = this.tenants.tryAcquire("late");
		assertThat(decision.reason()).isEqualTo(Decision.Reason.LIMIT);
		assertThat(decision.retryAfter()).isEqualTo(MINUTE);
		this.clock.advance(Duration.ofSeconds(10));
		IntStream.range(1, 10).forEach((i) -> assertThat(this.tenants.tryAcquire("k" + i).admitted()).isTrue());
		assertThat(this.tenants.tryAcquire("late").retryAfter()).isEqualTo(Duration.ofSeconds(50));
		this.clock.advance(Duration.ofSeconds(50));
		assertThat(this.tenants.tryAcquire("late").admitted()).isTrue();
	}

	@Test
	void keyOverItsShrunkenShareKeepsWhatItUsedAndGetsNothingUntilBelow() {
		this.tenants.tryAcquire("first", 15);
		this.tenants.tryAcquire("second", 1);

		assertThat(this.tenants.state("first").used()).isEqualTo(15);
		assertThat(this.tenants.tryAcquire("first").admitted()).isFalse();
		assertThat(this.tenants.tryAcquire("second", 4).admitted()).isTrue();
		assertThat(this.tenants.tryAcquire("second").admitted()).isFalse();
	}

	@Test
	void changeAndForgetMintNothing() {
		this.tenants.tryAcquire("a", 5);
		this.tenants.tryAcquire("b", 5);

		this.manager.addOrUpdate("tenants", Limit.dynamicWindow(12, 2, 12, MINUTE, 6));
		assertThat(this.tenants.tryAcquire("a", 2).admitted()).isFalse();
		assertThat(this.tenants.tryAcquire("a", 1).admitted()).isTrue();
		assertThat(this.tenants.tryAcquire("b", 1).admitted()).isTrue();
		assertThat(this.tenants.tryAcquire("c", 1).admitted()).isFalse();

		assertThat(this.tenants.forget("b")).isTrue();
		assertThat(this.tenants.tryAcquire("c", 6).admitted()).isTrue();
	}

	@Test
	void whatKeysUsedOfAnotherRateCountsTowardsTheCapacity() {
		Throttle rate = this.manager.addOrUpdate("rate", Limit.slidingLog(10, MINUTE));
		rate.tryAcquire("a", 10);
		this.clock.advance(Duration.ofSeconds(30));
		rate.tryAcquire("b", 5);
		CompletableFuture<Permit> waiting = rate.acquire("a", 1, Duration.ofHours(1));

		this.manager.addOrUpdate("rate", Limit.dynamicWindow(20, 2, 20, MINUTE, 6));

		assertThat(rate.state("a").limit()).isEqualTo(10);
		assertThat(rate.state("b").limit()).isEqualTo(10);
		assertThat(rate.tryAcquire("c", 5).admitted()).isTrue();
		assertThat(rate.tryAcquire("b").admitted()).isFalse();
		assertThat(waiting).isNotDone();
		this.clock.advance(MINUTE);
		assertThat(waiting).isCompleted();
		assertThat(rate.snapshot(0).admitted()).isEqualTo(21);
	}

	@Test
	void whatKeysUsedOfTheCapacityCountsUnderALimitOfTheirOwn() {
		this.tenants.tryAcquire("a", 10);
		this.tenants.tryAcquire("b", 10);
		CompletableFuture<Permit> waiting = this.tenants.acquire("c", 2, Duration.ofHours(1));

		this.manager.addOrUpdate("tenants", Limit.tokenBucket(10, 10, MINUTE));

		assertThat(waiting).isCompleted();
		assertThat(this.tenants.tryAcquireNanos("a", 1)).isPositive();
		assertThat(this.tenants.state("b").used()).isEqualTo(10);
		assertThat(this.tenants.snapshot(0).admitted()).isEqualTo(22);
		this.manager.addOrUpdate("tenants", Limit.dynamicWindow(20, 2, 20, MINUTE, 6));
		assertThat(this.tenants.tryAcquire("c").admitted()).isFalse();
	}

	@Test
	void whatOneKeyGivesBackIsThereForTheLineOfAnother() {
		this.tenants.tryAcquire("a", 10);
		this.tenants.tryAcquire("b", 10);
		CompletableFuture<Permit> first = this.tenants.acquire("c", 2, Duration.ofHours(1));
		CompletableFuture<Permit> second = this.tenants.acquire("c", 6, Duration.ofHours(1));
		assertThat(first).isNotDone();

		this.tenants.forget("a");

		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
	}

	@Test
	void lineOfAKeyIsServedAtABucketsEdge() {
		this.tenants.tryAcquire("a", 20);
		CompletableFuture<Permit> waiting = this.tenants.acquire("b", 3, MINUTE);
		assertThat(this.tenants.tryAcquire("b").retryAfter()).isEqualTo(MINUTE);

		this.clock.advance(MINUTE.minusNanos(1));
		assertThat(waiting).isNotDone();
		this.clock.advanceNanos(1);
		assertThat(waiting).isCompleted();
		assertThat(this.clock.scheduled()).isZero();
	}

	@Test
	void impossibleSharesAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.dynamicWindow(5, 6, 6, MINUTE, 6))
			.withMessage("'minLimit' must be at most 'capacity', 5: 6");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.dynamicWindow(5, 3, 2, MINUTE, 6))
			.withMessage("'minLimit' must be at most 'maxLimit', 2: 3");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.dynamicWindow(5, 1, 6, MINUTE, 6))
			.withMessage("'maxLimit' must be at most 'capacity', 5: 6");
	}

	@ParameterizedTest
	@CsvSource({ "20,2,20,60,6", "7,1,3,100,3", "100,10,60,50,5", "3,3,3,10,2", "40,2,10,30,20" })
	void decidesAsTheModelDoes(int capacity, int min, int max, int period, int buckets) {
		for (int seed = 0; seed < 40; seed++) {
			Random random = new Random(seed);
			SettableClock clock = new SettableClock(random.nextInt(1_000));
			Throttle throttle = ThrottlingManager.builder()
				.clock(clock)
				.build()
				.addOrUpdate("rate", Limit.dynamicWindow(capacity, min, max, Duration.ofNanos(period), buckets));
			Model model = new Model(capacity, min, max, (period + buckets - 1) / buckets, buckets);
			for (int i = 0; i < 300; i++) {
				String key = "k" + random.nextInt(8);
				int permits = 1 + random.nextInt(random.nextBoolean() ? 1 : max);
				long wait = throttle.tryAcquireNanos(key, permits);
				assertThat(wait == 0).as("call %s of seed %s", i, seed)
					.isEqualTo(model.fits(key, permits, clock.nanoTime()));
				if (wait > 0 && random.nextBoolean()) {
					clock.advanceNanos(wait - 1);
					assertThat(throttle.tryAcquireNanos(key, permits)).isEqualTo(1);
					clock.advanceNanos(1);
					wait = throttle.tryAcquireNanos(key, permits);
					assertThat(wait).isZero();
				}
				if (wait == 0) {
					model.grant(key, permits, clock.nanoTime());
				}
				clock.advanceNanos(random.nextInt(4) == 0 ? random.nextInt(period) : 0);
			}
		}
	}

	/** Remembers every grant by key, keys in the order of becoming active. */
	private static final class Model {

		private final Map<String, List<Long>> grants = new LinkedHashMap<>();

		private final int capacity;

		private final int min;

		private final int max;

		private final long length;

		private final int buckets;

		Model(int capacity, int min, int max, long length, int buckets) {
			this.capacity = capacity;
			this.min = min;
			this.max = max;
			this.length = length;
			this.buckets = buckets;
		}

		boolean fits(String key, int permits, long now) {
			forget(now);
			List<String> active = new ArrayList<>(this.grants.keySet());
			boolean isNew = !active.contains(key);
			if (isNew) {
				active.add(key);
			}
			int even = this.capacity / active.size();
			int share = even + (active.indexOf(key) < this.capacity % active.size() ? 1 : 0);
			int total = this.grants.values().stream().mapToInt(List::size).sum();
			int used = this.grants.getOrDefault(key, List.of()).size();
			return !(isNew && even < this.min) && used + permits <= Math.max(this.min, Math.min(this.max, share))
					&& total + permits <= this.capacity;
		}

		void grant(String key, int permits, long now) {
			forget(now);
			List<Long> buckets = this.grants.computeIfAbsent(key, (name) -> new ArrayList<>());
			for (int i = 0; i < permits; i++) {
				buckets.add(Math.floorDiv(now, this.length));
			}
		}

		private void forget(long now) {
			long oldest = Math.floorDiv(now, this.length) - this.buckets;
			this.grants.values().forEach((buckets) -> buckets.removeIf((bucket) -> bucket <= oldest));
			this.grants.values().removeIf(List::isEmpty);
		}

	}

}
