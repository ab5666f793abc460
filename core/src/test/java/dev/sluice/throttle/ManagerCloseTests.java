package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Managers that are closed while calls wait in line. */
class ManagerCloseTests {

	private static final Duration LONG = Duration.ofDays(10);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	static Stream<ThrottlingManager> managers() {
		return Stream.of(ThrottlingManager.builder().build(),
				ThrottlingManager.builder().store(ThrottleStore.inMemory(NanoClock.system())).build(),
				ThrottlingManager.builder().completionExecutor(Runnable::run).build());
	}

	@ParameterizedTest
	@MethodSource("managers")
	void callsInLineAreRejected(ThrottlingManager manager) {
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());
		Throttle rate = manager.addOrUpdate("rate", Limit.slidingLog(1, LONG));
		Permit held = mutex.tryAcquire("k").permit();
		rate.tryAcquire("k");
		rate.tryAcquire("");
		List<CompletableFuture<Permit>> calls = List.of(mutex.acquire("k", 1, LONG), mutex.acquire("k", 1, LONG),
				rate.acquire("k", 1, LONG), rate.acquire("", 1, LONG),
				manager.acquire(request("mutex").owner("o"), request("rate", "other")),
				manager.acquire(request("mutex", "other"), request("rate")));

		manager.close();

		assertThat(calls).allSatisfy(ManagerCloseTests::assertRejected);
		assertThat(mutex.state("k").waiting()).isZero();
		assertThat(rate.state("k").waiting()).isZero();
		assertThat(mutex.state("other").used()).isZero();
		held.close();
		assertThat(mutex.state("k").used()).isZero();
	}

	@ParameterizedTest
	@MethodSource("managers")
	void callsThatComeLaterAreAdmittedIfTheyNeedNotWait(ThrottlingManager manager) {
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());

		manager.close();
		manager.close();
		Throttle late = manager.addOrUpdate("late", Limit.mutex());

		for (Throttle each : List.of(mutex, late)) {
			Permit held = each.acquire("k", 1, LONG).join();
			assertRejected(each.acquire("k", 1, LONG));
			held.close();
			assertThat(each.tryAcquire("k").admitted()).isTrue();
		}
		assertRejected(manager.acquire(request("mutex"), request("late", "other")));
	}

	@ParameterizedTest
	@MethodSource("managers")
	void managerThatIsClosedWhileCallsComeLeavesNoCallInLine(ThrottlingManager manager) throws Exception {
		List<Permit> held = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			held.add(manager.addOrUpdate("mutex-" + i, Limit.mutex()).tryAcquire("0").permit());
		}
		List<CompletableFuture<Permit>> calls = new ArrayList<>();
		CountDownLatch underWay = new CountDownLatch(1_000);
		AtomicBoolean closed = new AtomicBoolean();
		CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> {
			for (int i = 0; !closed.get(); i++) {
				Throttle mutex = manager.get("mutex-" + i % 10);
				String key = Integer.toString(i / 10 % 50);
				calls.add(mutex.acquire(key, 1, LONG));
				calls.add(manager.acquire(request(mutex.resource(), key), request("mutex-9", "0")));
				underWay.countDown();
				LockSupport.parkNanos(50_000);
			}
		});

		assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();
		manager.close();
		closed.set(true);

		caller.get(60, TimeUnit.SECONDS);
		await().atMost(PATIENCE).until(() -> calls.stream().allMatch(CompletableFuture::isDone));
		assertThat(manager.throttles()).allMatch((throttle) -> throttle.snapshot(0).waiting() == 0);
	}

	@Test
	void permitThatTheStoreGrantsWhenTheManagerIsClosedGoesBack() {
		ThrottleStore store = ThrottleStore.inMemory(NanoClock.system());
		Throttle elsewhere = ThrottlingManager.builder().store(store).build().addOrUpdate("mutex", Limit.mutex());
		ThrottlingManager closing = ThrottlingManager.builder().store(store).build();
		Permit held = elsewhere.tryAcquire("k").permit();
		CompletableFuture<Permit> call = closing.acquire(request("mutex"));
		CompletableFuture<Permit> next = elsewhere.acquire("k", 1, LONG);

		closing.close();
		held.close();

		assertRejected(call);
		assertThat(next).succeedsWithin(PATIENCE);
	}

	private static AcquireRequest request(String resource) {
		return request(resource, "k");
	}

	private static AcquireRequest request(String resource, String key) {
		return AcquireRequest.of(resource, key).maxWait(LONG);
	}

	private static void assertRejected(CompletableFuture<Permit> call) {
		assertThat(call).failsWithin(PATIENCE).withThrowableThat().havingCause().isInstanceOf(ThrottledException.class);
	}

}
