package dev.sluice.test.store;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.Throttle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Contract of mutexes and semaphores: how permits are held, by whom, and released. */
interface HeldContract extends StoreUnderTest {

	@Test
	default void noMoreThanTheLimitIsHeldAtOnce() {
		Throttle semaphore = define(Limit.semaphore(3));
		Permit two = taken(semaphore, "k", 2);
		taken(semaphore, "k");
		rejected(semaphore, "k", 1);
		rejected(elsewhere(semaphore), "k", 1);
		taken(semaphore, "other", 3);

		two.close();
		two.close();

		taken(semaphore, "k", 2);
		rejected(semaphore, "k", 1);
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> semaphore.tryAcquireNanos("k", 1));
	}

	@Test
	default void neverMoreThanOneOfManyThreadsHoldsTheMutex() throws Exception {
		Throttle mutex = define(Limit.mutex());
		Throttle elsewhere = elsewhere(mutex);
		AtomicInteger inside = new AtomicInteger();
		int[] unguarded = new int[1];

		long overlaps = Crowd.count(8, (number) -> {
			long seen = 0;
			for (int i = 0; i < 25; i++) {
				Permit permit = granted(((number % 2 == 0) ? mutex : elsewhere).acquire("k", 1, LONG));
				seen += (inside.incrementAndGet() > 1) ? 1 : 0;
				unguarded[0]++;
				inside.decrementAndGet();
				permit.close();
			}
			return seen;
		});

		assertThat(overlaps).isZero();
		assertThat(unguarded[0]).isEqualTo(8 * 25);
		soon(() -> taken(mutex, "k"));
	}

	@Test
	default void ownerThatEntersAgainCountsOnce() {
		Throttle mutex = define(Limit.mutex());
		Permit outer = taken(request(mutex, "me"));
		Permit inner = taken(request(elsewhere(mutex), "me"));
		assertThat(node().tryAcquire(request(mutex, "you")).admitted()).isFalse();

		outer.close();
		outer.close();
		assertThat(node().tryAcquire(request(mutex, "you")).admitted()).isFalse();
		inner.close();

		taken(request(mutex, "you"));
	}

	@Test
	default void ownerThatHoldsPassesTheLine() {
		Throttle mutex = define(Limit.mutex());
		Permit outer = taken(request(mutex, "me"));
		CompletableFuture<Permit> waiting = mutex.acquire("k", 1, LONG);
		stillWaiting(waiting);

		Permit inner = taken(request(mutex, "me"));
		granted(node().acquire(request(mutex, "me").maxWait(LONG))).close();
		inner.close();
		stillWaiting(waiting);
		outer.close();

		granted(waiting);
	}

	@Test
	default void secondWaitOfAnOwnerJoinsTheFirst() {
		Throttle mutex = define(Limit.mutex());
		Permit permit = taken(mutex, "k");
		CompletableFuture<Permit> first = node().acquire(request(mutex, "me").maxWait(LONG));
		stillWaiting(first);
		CompletableFuture<Permit> other = node().acquire(request(mutex, "you").maxWait(LONG));
		stillWaiting(other);
		CompletableFuture<Permit> joined = node().acquire(request(mutex, "me").maxWait(LONG));
		stillWaiting(joined);

		permit.close();

		Permit outer = granted(first);
		Permit inner = granted(joined);
		outer.close();
		stillWaiting(other);
		inner.close();
		granted(other);
	}

	@Test
	default void ownerMayNotEnterForMoreThanItHolds() {
		Throttle semaphore = define(Limit.semaphore(3));
		taken(request(semaphore, "me"));

		assertThatIllegalArgumentException().isThrownBy(() -> node().tryAcquire(request(semaphore, "me").permits(2)))
			.withMessageContaining("'permits'");
	}

	@Test
	default void permitIsReleasedElsewhereByItsOwner() {
		Throttle semaphore = define(Limit.semaphore(2));
		Permit permit = taken(request(semaphore, "batch").permits(2));
		taken(request(semaphore, "batch"));
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 2, LONG);
		stillWaiting(waiting);

		assertThat(semaphore.release("k", "unknown")).isFalse();
		assertThat(semaphore.release("other", "batch")).isFalse();
		assertThat(elsewhere(semaphore).release("k", "batch")).isTrue();

		granted(waiting);
		assertThat(semaphore.release("k", "batch")).isFalse();
		permit.close();
		rejected(semaphore, "k", 1);
		assertThat(semaphore.forget("k")).isFalse();
	}

	@Test
	default void fencingTokensGrowWithEachGrant() {
		Throttle mutex = define(Limit.mutex());
		Throttle elsewhere = elsewhere(mutex);
		List<Long> tokens = new ArrayList<>();

		for (int i = 0; i < 10; i++) {
			Permit permit = granted(((i % 2 == 0) ? mutex : elsewhere).acquire((i % 3 == 0) ? "k" : "other", 1, LONG));
			CompletableFuture<Permit> next = mutex.acquire((i % 3 == 0) ? "k" : "other", 1, LONG);
			tokens.add(permit.fencingToken().orElseThrow());
			permit.close();
			Permit handedOver = granted(next);
			tokens.add(handedOver.fencingToken().orElseThrow());
			handedOver.close();
		}

		assertThat(tokens).isSorted().doesNotHaveDuplicates();
		assertThat(taken(define(Limit.slidingLog(1, LONG)), "k").fencingToken()).isEmpty();
	}

	@Test
	default void showsWhoHoldsPermitsAndSinceWhen() {
		Throttle semaphore = define(Limit.semaphore(3));
		long before = time().nanoTime();
		taken(request(semaphore, "first").permits(2));
		long after = time().nanoTime();
		time().pass(Duration.ofMillis(5).plus(time().tolerance()));
		taken(request(semaphore, "second"));
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 1, LONG);
		stillWaiting(waiting);

		var state = semaphore.state("k");
		assertThat(state.used()).isEqualTo(3);
		assertThat(state.remaining()).isZero();
		assertThat(state.waiting()).isEqualTo(1);
		Holder oldest = state.oldestHolder().orElseThrow();
		assertThat(oldest.owner()).isEqualTo("first");
		assertThat(oldest.permits()).isEqualTo(2);
		assertThat(oldest.since()).isBetween(instant(before).minus(time().tolerance()),
				instant(after).plus(time().tolerance()));
		var snapshot = semaphore.snapshot(5);
		assertThat(snapshot.held()).isEqualTo(3);
		assertThat(snapshot.waiting()).isEqualTo(1);
		assertThat(snapshot.holders()).extracting(Holder::owner).containsExactly("first", "second");
		assertThat(semaphore.snapshot(1).holders()).hasSize(1);
	}

	@Test
	default void unknownOwnerIsGivenAName() {
		Throttle mutex = define(Limit.mutex());
		Permit permit = taken(mutex, "k");

		String owner = mutex.state("k").oldestHolder().orElseThrow().owner();

		assertThat(owner).isNotEmpty();
		assertThat(mutex.release("k", owner)).isTrue();
		permit.close();
		assertThat(mutex.tryAcquire("k").reason()).isEqualTo(Decision.Reason.ADMITTED);
	}

	@Test
	default void ownerReleasesAsynchronouslyWhatItHoldsAndWhoWaitsHasIt() {
		Throttle mutex = define(Limit.mutex());
		taken(request(mutex, "owner"));
		taken(request(mutex, "owner"));
		CompletableFuture<Permit> waiting = elsewhere(mutex).acquire("k", 1, LONG);
		stillWaiting(waiting);

		assertThat(mutex.releaseAsync("k", "owner")).succeedsWithin(patience()).isEqualTo(true);

		granted(waiting).close();
		soon(() -> taken(mutex, "k").close());
		assertThat(mutex.releaseAsync("k", "owner")).succeedsWithin(patience()).isEqualTo(false);
		assertThat(define(Limit.slidingLog(1, LONG)).releaseAsync("k", "owner")).succeedsWithin(patience())
			.isEqualTo(false);
	}

	private static Instant instant(long nanos) {
		return Instant.ofEpochSecond(0, nanos);
	}

	private static AcquireRequest request(Throttle throttle, String owner) {
		return AcquireRequest.of(throttle.resource(), "k").owner(owner);
	}

}
