package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ThrottleListenerTests {

	private static final Duration LONG = Duration.ofHours(1);

	private final SettableClock clock = new SettableClock(Long.MAX_VALUE - 50);

	private final List<String> events = new ArrayList<>();

	private final ThrottlingManager inMemory = manager(false);

	private final ThrottlingManager overStore = manager(true);

	private ThrottlingManager manager(boolean store) {
		ThrottlingManager.Builder builder = ThrottlingManager.builder()
			.clock(this.clock)
			.completionExecutor(Runnable::run)
			.listener(new Notes());
		return store ? builder.store(ThrottleStore.inMemory(this.clock)).build() : builder.build();
	}

	private ThrottlingManager node(boolean store) {
		return store ? this.overStore : this.inMemory;
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void decisionsOnARateAreTold(boolean store) {
		Throttle log = node(store).addOrUpdate("log", Limit.slidingLog(2, Duration.ofNanos(100)));

		log.tryAcquire("a", 2);
		log.tryAcquire("a");
		log.tryAcquireNanos("a", 1);
		log.tryAcquireNanos("b", 1);

		assertThat(this.events).containsExactly("admitted log a 2 0", "rejected log a 1 LIMIT 0",
				"rejected log a 1 LIMIT 0", "admitted log b 1 0");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void waitsAndTimesHeldAreTold(boolean store) {
		Throttle semaphore = node(store).addOrUpdate("exports", Limit.semaphore(2));
		Permit permit = semaphore.tryAcquire("k", 2).permit();
		CompletableFuture<Permit> waiting = semaphore.acquire("k", 1, LONG);
		CompletableFuture<Permit> late = semaphore.acquire("k", 2, Duration.ofNanos(60));
		semaphore.tryAcquire("k");
		this.clock.advanceNanos(70);
		permit.close();
		permit.close();
		this.clock.advanceNanos(5);
		waiting.join().close();

		assertThat(late).isCompletedExceptionally();
		assertThat(this.events).containsExactlyInAnyOrder("admitted exports k 2 0", "rejected exports k 1 LINE 0",
				"rejected exports k 2 LIMIT 60", "admitted exports k 1 70", "released exports k 2 70",
				"released exports k 1 5");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void immediateAnswersToAcquireAreTold(boolean store) {
		Throttle log = node(store).addOrUpdate("log", Limit.slidingLog(1, Duration.ofNanos(100)));

		log.acquire("", 1, LONG);
		log.acquire("", 1, Duration.ZERO);
		log.acquire("", 1, Duration.ofNanos(99));

		assertThat(this.events).containsExactly("admitted log  1 0", "rejected log  1 LIMIT 0",
				"rejected log  1 LIMIT 0");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void dryRunTellsWhatItWouldHaveRejected(boolean store) {
		Throttle log = node(store).addOrUpdate("log", Limit.slidingLog(1, LONG),
				LimitOptions.builder().dryRun(true).build());
		log.tryAcquire();
		log.tryAcquireNanos("", 1);
		log.acquire("", 1, LONG);

		assertThat(this.events).containsExactly("admitted log  1 0", "rejected log  1 LIMIT 0",
				"rejected log  1 LIMIT 0");
	}

	@Test
	void newKeyAtTheCapIsTold() {
		LimitOptions options = LimitOptions.builder().maxKeys(1).build();
		Throttle log = this.inMemory.addOrUpdate("log", Limit.slidingLog(1, LONG), options);
		Throttle mutex = this.inMemory.addOrUpdate("mutex", Limit.mutex(), options);
		log.tryAcquire("a");
		mutex.tryAcquire("a");
		this.events.clear();

		log.tryAcquire("b");
		log.acquire("b", 1, LONG);
		mutex.tryAcquire("b");

		assertThat(this.events).containsExactly("rejected log b 1 KEY_CAP 0", "rejected log b 1 KEY_CAP 0",
				"rejected mutex b 1 KEY_CAP 0");
	}

	@Test
	void severalAreReleasedInTheReverseOrderOfTaking() {
		this.inMemory.addOrUpdate("a", Limit.mutex());
		this.inMemory.addOrUpdate("b", Limit.mutex());

		this.inMemory.tryAcquire(AcquireRequest.of("b"), AcquireRequest.of("a")).permit().close();

		assertThat(this.events).containsExactly("admitted a  1 0", "admitted b  1 0", "released b  1 0",
				"released a  1 0");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void permitOfARateIsNotReleased(boolean store) {
		Throttle log = node(store).addOrUpdate("log", Limit.slidingLog(2, Duration.ofNanos(100)));

		log.tryAcquire().permit().close();
		log.acquire("", 1, LONG).join().close();

		assertThat(this.events).containsExactly("admitted log  1 0", "admitted log  1 0");
	}

	@Test
	void whatIsUndoneInAStoreIsReleased() {
		this.overStore.addOrUpdate("log", Limit.slidingLog(1, LONG)).tryAcquire();
		this.overStore.addOrUpdate("mutex", Limit.mutex());
		this.events.clear();

		this.overStore.tryAcquire(AcquireRequest.of("mutex"), AcquireRequest.of("log"));

		assertThat(this.events).containsExactly("admitted mutex  1 0", "rejected log  1 LIMIT 0",
				"released mutex  1 0");
	}

	@Test
	void severalAtOnceAreToldEachAndARejectionByWhoRejects() {
		this.inMemory.addOrUpdate("log", Limit.slidingLog(1, Duration.ofNanos(100)));
		this.inMemory.addOrUpdate("mutex", Limit.mutex());
		AcquireRequest[] both = { AcquireRequest.of("log").maxWait(LONG), AcquireRequest.of("mutex").maxWait(LONG) };

		Permit permit = this.inMemory.tryAcquire(both).permit();
		this.inMemory.tryAcquire(both);
		permit.close();
		assertThat(this.events).containsExactlyInAnyOrder("admitted log  1 0", "admitted mutex  1 0",
				"rejected log  1 LIMIT 0", "rejected mutex  1 LIMIT 0", "released mutex  1 0");
		this.events.clear();

		this.inMemory.acquire(both);
		this.clock.advanceNanos(100);
		assertThat(this.events).containsExactly("admitted mutex  1 100", "admitted log  1 100");
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void listenerThatThrowsIsCountedAndAltersNothing(boolean store) {
		ThrottleListener broken = new ThrottleListener() {

			@Override
			public void admitted(String resource, String key, int permits, long waitNanos) {
				throw new IllegalStateException("admitted");
			}

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				throw new AssertionError("rejected");
			}

			@Override
			public void released(String resource, String key, int permits, long heldNanos) {
				throw new IllegalStateException("released");
			}

		};
		ThrottlingManager.Builder builder = ThrottlingManager.builder()
			.clock(this.clock)
			.completionExecutor(Runnable::run)
			.listener(broken);
		ThrottlingManager manager = store ? builder.store(ThrottleStore.inMemory(this.clock)).build() : builder.build();
		Throttle mutex = manager.addOrUpdate("mutex", Limit.mutex());

		Permit permit = mutex.tryAcquire().permit();
		assertThat(mutex.tryAcquire().admitted()).isFalse();
		CompletableFuture<Permit> waiting = mutex.acquire("", 1, LONG);
		permit.close();
		waiting.join().close();

		assertThat(mutex.tryAcquire().admitted()).isTrue();
		assertThat(manager.listenerFailures()).isEqualTo(6);
		assertThat(this.inMemory.listenerFailures()).isZero();
	}

	@Test
	void anExceptionOfOneListenerDoesNotAffectTheOthers() {
		ThrottleListener broken = new ThrottleListener() {

			@Override
			public void admitted(String resource, String key, int permits, long waitNanos) {
				throw new IllegalStateException("admitted");
			}

		};
		ThrottlingManager manager = ThrottlingManager.builder()
			.clock(this.clock)
			.listener(broken)
			.listener(new Notes())
			.listener(broken)
			.build();

		manager.addOrUpdate("mutex", Limit.mutex()).tryAcquire("a", 1);

		assertThat(this.events).hasSize(1);
		assertThat(manager.listenerFailures()).isEqualTo(2);
	}

	@Test
	void listenerMayUseTheThrottle() {
		List<ThrottlingManager> manager = new ArrayList<>();
		manager.add(ThrottlingManager.builder().clock(this.clock).listener(new ThrottleListener() {

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				ThrottleListenerTests.this.events.add("held by " + manager.get(0).get(resource).state(key).used());
			}

		}).build());
		Throttle mutex = manager.get(0).addOrUpdate("mutex", Limit.mutex());
		mutex.tryAcquire();

		mutex.tryAcquire();

		assertThat(this.events).containsExactly("held by 1");
	}

	/** Records the calls. */
	private final class Notes implements ThrottleListener {

		@Override
		public void admitted(String resource, String key, int permits, long waitNanos) {
			note("admitted", resource, key, permits, waitNanos);
		}

		@Override
		public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
			note("rejected", resource, key, permits, reason, waitNanos);
		}

		@Override
		public void released(String resource, String key, int permits, long heldNanos) {
			note("released", resource, key, permits, heldNanos);
		}

		private void note(Object... words) {
			ThrottleListenerTests.this.events.add(String.join(" ", Arrays.stream(words).map(String::valueOf).toList()));
		}

	}

}
