package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import dev.sluice.test.SettableClock;
import dev.sluice.throttle.internal.ManagedThrottle;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class StoredThrottleTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final LimitOptions DRY_RUN = LimitOptions.builder().dryRun(true).build();

	private final SettableClock clock = new SettableClock();

	private final List<Runnable> completions = new ArrayList<>();

	private final ScriptedStore stored = new ScriptedStore();

	private final ThrottlingManager manager = ThrottlingManager.builder()
		.clock(this.clock)
		.completionExecutor(this.completions::add)
		.store(this::open)
		.build();

	private final Throttle remote = this.manager.addOrUpdate("remote", Limit.slidingLog(5, SECOND));

	private final Throttle log = this.manager.addOrUpdate("local log", Limit.slidingLog(1, SECOND));

	private final Throttle mutex = this.manager.addOrUpdate("local mutex", Limit.mutex());

	private Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		if (resource.startsWith("local")) {
			return Optional.empty();
		}
		this.stored.change(limit, options);
		return Optional.of(this.stored);
	}

	@Test
	void limitThatTheStoreLeavesAloneIsKeptInMemory() {
		assertThat(this.log.tryAcquire().admitted()).isTrue();
		assertThat(this.log.tryAcquire().admitted()).isFalse();
		assertThat(this.stored.asked).isEmpty();
	}

	@Test
	void decisionsAreTheStores() {
		this.stored.decision = Decision.rejected(Decision.Reason.STORE, "remote", "k", Duration.ofMillis(7));

		assertThat(this.remote.tryAcquire("k", 2)).isSameAs(this.stored.decision);
		assertThat(this.remote.tryAcquireNanos("k", 2)).isEqualTo(7_000_000);
		assertThat(this.stored.asked).allSatisfy((request) -> assertThat(request.permits()).isEqualTo(2));
		this.stored.decision = Decision.admitted(this.stored.permit);
		assertThat(this.remote.tryAcquireNanos("k", 1)).isZero();
		assertThat(this.remote.tryAcquire("k").permit().fencingToken()).hasValue(42);
	}

	@Test
	void argumentsAreRejectedBeforeTheStoreIsAsked() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.remote.tryAcquire("k", 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.remote.tryAcquire("k", 6));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.manager.tryAcquire(AcquireRequest.of("remote").permits(6)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.remote.acquire("k", 1, Duration.ofNanos(-1)));
		assertThatIllegalArgumentException().isThrownBy(() -> this.remote.snapshot(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.manager.addOrUpdate("remote", Limit.mutex()))
			.withMessageContaining("remove it first");
		assertThat(this.stored.asked).isEmpty();
		this.manager.addOrUpdate("held", Limit.mutex());
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.remote.tryAcquireNanos("k", 1));
	}

	@Test
	void grantOfTheStoreArrivesOnTheCompletionExecutor() {
		CompletableFuture<Permit> waiting = this.remote.acquire("k", 1, SECOND);
		assertThat(this.stored.asked.get(0).maxWait()).isEqualTo(SECOND);

		this.stored.waiting.complete(this.stored.permit);
		assertThat(waiting).isNotDone();
		runCompletions();

		assertThat(waiting).isCompleted();
		waiting.join().close();
		waiting.join().close();
		assertThat(this.stored.closed).isEqualTo(1);
	}

	@Test
	void rejectionOfTheStoreKeepsItsException() {
		CompletableFuture<Permit> waiting = this.remote.acquire("k", 1, SECOND);

		this.stored.waiting.completeExceptionally(new ThrottledException("remote", "k", SECOND));
		runCompletions();

		LineTests.assertThrottled(waiting, SECOND);
	}

	@Test
	void cancellingLeavesTheLineOfTheStore() {
		CompletableFuture<Permit> waiting = this.remote.acquire("k", 1, SECOND);

		waiting.cancel(false);

		assertThat(this.stored.waiting).isCancelled();
		runCompletions();
		assertThat(this.stored.refunded).isZero();
	}

	@Test
	void grantThatLosesToACancellationIsRefunded() {
		CompletableFuture<Permit> waiting = this.remote.acquire("k", 1, SECOND);
		this.stored.waiting.complete(this.stored.permit);

		waiting.cancel(false);
		runCompletions();

		assertThat(this.stored.refunded).isEqualTo(1);
	}

	@Test
	void dryRunAdmitsWhatTheStoreRejects() {
		this.manager.addOrUpdate("remote", Limit.slidingLog(5, SECOND), DRY_RUN);
		this.stored.decision = Decision.rejected(Decision.Reason.LIMIT, "remote", "k", SECOND);

		assertThat(this.remote.tryAcquire("k").admitted()).isTrue();
		assertThat(this.remote.tryAcquireNanos("k", 1)).isZero();
		CompletableFuture<Permit> asked = this.remote.acquire("k", 1, SECOND);
		assertThat(this.stored.asked.get(2).maxWait()).isZero();
		this.stored.waiting.completeExceptionally(this.stored.decision.throttled());
		runCompletions();
		assertThat(asked).isCompleted();
	}

	@Test
	void lostPermitTellsItsHolderOnTheCompletionExecutor() {
		List<String> told = new ArrayList<>();
		this.remote.tryAcquire("k").permit().onLost(() -> told.add("lost"));

		this.stored.lost.run();
		assertThat(told).isEmpty();
		runCompletions();

		assertThat(told).containsExactly("lost");
	}

	@Test
	void rejectionByTheStoreGivesBackWhatMemoryGranted() {
		this.stored.decision = Decision.rejected(Decision.Reason.LIMIT, "remote", "", SECOND);

		Decision decision = this.manager.tryAcquire(AcquireRequest.of("local log"), AcquireRequest.of("remote"),
				AcquireRequest.of("local mutex"));

		assertThat(decision).isSameAs(this.stored.decision);
		assertThat(this.log.state("").used()).isZero();
		assertThat(this.mutex.state("").used()).isZero();
	}

	@Test
	void storeIsNotAskedIfMemoryRejects() {
		this.log.tryAcquire();

		assertThat(this.manager.tryAcquire(AcquireRequest.of("remote"), AcquireRequest.of("local log")).admitted())
			.isFalse();
		CompletableFuture<Permit> hopeless = this.manager.acquire(AcquireRequest.of("remote"),
				AcquireRequest.of("local log").maxWait(Duration.ofMillis(999)));

		LineTests.assertThrottled(hopeless, SECOND);
		assertThat(this.stored.asked).isEmpty();
	}

	@Test
	void storeThatThrowsGivesBackWhatMemoryGranted() {
		this.stored.decision = null;

		assertThatIllegalStateException().isThrownBy(() -> this.manager.tryAcquire(AcquireRequest.of("remote"),
				AcquireRequest.of("local log"), AcquireRequest.of("local mutex")));

		assertThat(this.log.state("").used()).isZero();
		assertThat(this.mutex.state("").used()).isZero();
	}

	@Test
	void severalWaitInMemoryFirstAndInTheStoreLast() {
		Permit held = this.mutex.tryAcquire().permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("remote"), wait("local log"),
				wait("local mutex"));
		assertThat(this.stored.asked).isEmpty();

		held.close();
		runCompletions();
		assertThat(this.log.state("").used()).isEqualTo(1);
		assertThat(this.stored.asked).hasSize(1);
		this.stored.waiting.complete(this.stored.permit);
		runCompletions();

		assertThat(waiting).isCompleted();
		waiting.join().close();
		assertThat(this.mutex.state("").used()).isZero();
		assertThat(this.stored.closed).isEqualTo(1);
	}

	@Test
	void waitForTheStoreThatFailsGivesBackWhatMemoryGranted() {
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("remote"), wait("local log"),
				wait("local mutex"));
		assertThat(this.mutex.state("").used()).isEqualTo(1);

		this.stored.waiting.completeExceptionally(new ThrottledException("remote", "", null));
		runCompletions();

		LineTests.assertThrottled(waiting, null);
		assertThat(this.mutex.state("").used()).isZero();
		assertThat(this.log.state("").used()).isZero();
	}

	@Test
	void permitThatTheStoreCannotCloseKeepsNoOtherOpen() {
		Permit both = this.manager.tryAcquire(AcquireRequest.of("local mutex"), AcquireRequest.of("remote")).permit();
		this.stored.isBroken = true;

		assertThatIllegalStateException().isThrownBy(both::close).withMessage("broken");

		assertThat(this.mutex.state("").used()).isZero();
	}

	@Test
	void waitEndsThoughTheStoreCannotTakeBackItsPart() {
		this.manager.addOrUpdate("remote mutex", Limit.mutex());
		this.log.tryAcquire();
		this.stored.waiting.complete(this.stored.permit);
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("remote mutex"), wait("local log"));
		assertThat(waiting).isNotDone();
		this.stored.isBroken = true;

		this.manager.remove("local log");
		runCompletions();

		assertThat(waiting).isCompletedExceptionally();
	}

	@Test
	void whatMemoryHoldsIsTakenBeforeTheStoreWhateverTheName() {
		this.manager.addOrUpdate("a remote mutex", Limit.mutex());
		Permit held = this.mutex.tryAcquire().permit();
		CompletableFuture<Permit> waiting = this.manager.acquire(wait("a remote mutex"), wait("local mutex"));
		assertThat(this.stored.asked).isEmpty();

		held.close();
		runCompletions();

		assertThat(this.stored.asked).hasSize(1);
		assertThat(waiting).isNotDone();
	}

	@Test
	void storeIsNotAskedToHoldWhatMemoryCannotGrantInTime() {
		this.manager.addOrUpdate("remote mutex", Limit.mutex());
		this.log.tryAcquire();

		CompletableFuture<Permit> hopeless = this.manager.acquire(wait("remote mutex"),
				AcquireRequest.of("local log").maxWait(Duration.ofMillis(999)));

		LineTests.assertThrottled(hopeless, SECOND);
		assertThat(this.stored.asked).isEmpty();
	}

	@Test
	void holderThatThrowsWhenItsPermitIsLostKeepsNobodyWaiting() {
		ThrottlingManager manager = ThrottlingManager.builder()
			.completionExecutor(Runnable::run)
			.store(this::open)
			.build();
		Throttle mutex = manager.addOrUpdate("local mutex", Limit.mutex());
		Permit held = mutex.tryAcquire().permit();
		CompletableFuture<Permit> waiting = mutex.acquire("", 1, SECOND);
		manager.addOrUpdate("remote", Limit.mutex()).tryAcquire().permit().onLost(() -> {
			held.close();
			throw new IllegalStateException("lost");
		});

		assertThatIllegalStateException().isThrownBy(this.stored.lost::run);

		assertThat(waiting).isCompleted();
	}

	@Test
	void throttleThatTwoDefineAtTheSameTimeIsOpenedOnce() throws InterruptedException {
		List<Throttle> defined = Collections.synchronizedList(new ArrayList<>());
		List<String> opened = Collections.synchronizedList(new ArrayList<>());
		Thread[] second = new Thread[1];
		ThrottlingManager manager = ThrottlingManager.builder().store((resource, limit, options) -> {
			opened.add(resource);
			if (opened.size() == 1) {
				second[0].start();
				await().until(() -> second[0].getState() == Thread.State.WAITING);
			}
			return Optional.empty();
		}).build();
		second[0] = new Thread(() -> defined.add(manager.addOrUpdate("local", Limit.mutex())));

		defined.add(manager.addOrUpdate("local", Limit.mutex()));
		second[0].join();

		assertThat(opened).hasSize(1);
		assertThat(defined).hasSize(2).containsOnly(manager.get("local"));
	}

	@Test
	void lossOfOneOfSeveralIsTold() {
		List<String> told = new ArrayList<>();
		this.manager.tryAcquire(AcquireRequest.of("local mutex"), AcquireRequest.of("remote"))
			.permit()
			.onLost(() -> told.add("lost"));

		this.stored.lost.run();
		runCompletions();

		assertThat(told).containsExactly("lost");
	}

	@Test
	void answerThatTheStoreHasIsThereAtOnce() {
		this.stored.waiting.complete(this.stored.permit);

		assertThat(this.remote.acquire("k", 1, SECOND)).isCompleted();
		assertThat(this.completions).isEmpty();
	}

	@Test
	void storeThatGrantsNothingFailsTheCall() {
		this.stored.waiting.complete(null);

		assertThat(this.remote.acquire("k", 1, SECOND)).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(IllegalStateException.class)
			.withMessageContaining("'remote'");
	}

	@Test
	void storeThatDoesNotSayWhenToRetryARateIsToldOf() {
		this.stored.decision = Decision.rejected(Decision.Reason.STORE, "remote", "k", null);

		assertThatIllegalStateException().isThrownBy(() -> this.remote.tryAcquireNanos("k", 1))
			.withMessageContaining("'remote'");
	}

	@Test
	void dryRunAdmitsARejectionHoweverItIsWrappedAndNoOtherFailure() {
		this.manager.addOrUpdate("remote", Limit.slidingLog(5, SECOND), DRY_RUN);
		this.stored.waiting
			.completeExceptionally(new CompletionException(new ThrottledException("remote", "k", SECOND)));
		assertThat(this.remote.acquire("k", 1, SECOND)).isCompleted();

		this.stored.waiting.obtrudeException(new IllegalStateException("broken"));
		assertThat(this.remote.acquire("k", 1, SECOND)).isCompletedExceptionally();
	}

	@Test
	void listenerIsToldWhyTheStoreRejected() {
		List<Decision.Reason> told = new ArrayList<>();
		Throttle remote = ThrottlingManager.builder().store(this::open).listener(new ThrottleListener() {

			@Override
			public void rejected(String resource, String key, int permits, Decision.Reason reason, long waitNanos) {
				told.add(reason);
			}

		}).build().addOrUpdate("remote", Limit.slidingLog(5, SECOND));
		this.stored.waiting
			.completeExceptionally(Decision.rejected(Decision.Reason.STORE, "remote", "k", SECOND).throttled());

		remote.acquire("k", 1, SECOND);

		assertThat(told).containsExactly(Decision.Reason.STORE);
	}

	@Test
	void storeIsAskedToReleaseWhatIsHeldAndToForgetRatesOnly() {
		assertThat(this.remote.release("k", "me")).isFalse();
		Throttle mutex = this.manager.addOrUpdate("remote mutex", Limit.mutex());

		assertThat(mutex.forget("k")).isFalse();
	}

	@Test
	void removedThrottleOfAStoreIsNotChanged() {
		this.manager.remove("remote");

		assertThat(((ManagedThrottle) this.remote).update(Limit.slidingLog(6, SECOND), LimitOptions.defaults()))
			.isFalse();
		assertThat(this.remote.limit()).isEqualTo(Limit.slidingLog(5, SECOND));
	}

	@Test
	void managersThatShareTheMemoryOfANodeSeeEachOthersOptions() {
		ThrottleStore store = ThrottleStore.inMemory(this.clock);
		ThrottlingManager one = ThrottlingManager.builder().store(store).build();
		ThrottlingManager other = ThrottlingManager.builder().store(store).build();
		Throttle throttle = one.addOrUpdate("shared", Limit.slidingLog(1, SECOND));

		other.addOrUpdate("shared", Limit.slidingLog(1, SECOND), DRY_RUN);
		assertThat(throttle.options()).isEqualTo(DRY_RUN);
		one.addOrUpdate("shared", Limit.slidingLog(1, SECOND));

		assertThat(other.get("shared").options().dryRun()).isFalse();
		assertThat(store.open("shared", Limit.slidingLog(1, SECOND), DRY_RUN)).map(StoredThrottle::options)
			.contains(DRY_RUN);
	}

	@Test
	void rateInTheMemoryOfANodeIsGivenBackIfAnotherRejects() {
		ThrottlingManager manager = ThrottlingManager.builder().store(ThrottleStore.inMemory(this.clock)).build();
		Throttle free = manager.addOrUpdate("a", Limit.slidingLog(1, SECOND));
		manager.addOrUpdate("b", Limit.slidingLog(1, SECOND)).tryAcquire();

		assertThat(manager.tryAcquire(AcquireRequest.of("a"), AcquireRequest.of("b")).admitted()).isFalse();

		assertThat(free.state("").used()).isZero();
	}

	@Test
	void removalIsTheStoresAndEndsTheHandle() {
		this.stored.held = true;
		assertThatIllegalStateException().isThrownBy(() -> this.manager.remove("remote"));
		assertThat(this.remote.tryAcquire().admitted()).isTrue();

		this.stored.held = false;
		assertThat(this.manager.remove("remote")).isTrue();

		assertThatIllegalStateException().isThrownBy(this.remote::tryAcquire).withMessageContaining("'remote'");
		assertThatIllegalStateException().isThrownBy(() -> this.remote.acquire("", 1, SECOND));
		assertThat(this.manager.remove("remote")).isFalse();
		assertThat(this.manager.addOrUpdate("remote", Limit.mutex())).isNotSameAs(this.remote);
	}

	@Test
	void releaseByOwnerIsAnsweredOnTheCompletionExecutor() {
		this.stored.limit = Limit.mutex();
		CompletableFuture<Boolean> released = this.remote.releaseAsync("k", "owner");

		this.stored.releasing.complete(true);
		assertThat(released).isNotDone();

		runCompletions();
		assertThat(released).isCompletedWithValue(true);
	}

	private void runCompletions() {
		while (!this.completions.isEmpty()) {
			this.completions.remove(0).run();
		}
	}

	private static AcquireRequest wait(String resource) {
		return AcquireRequest.of(resource).maxWait(Duration.ofHours(1));
	}

	/** Answers as the test says, and notes what it was asked. */
	private static final class ScriptedStore implements StoredThrottle {

		private final List<AcquireRequest> asked = new ArrayList<>();

		private final Permit permit = new StoredPermit();

		private final CompletableFuture<Permit> waiting = new CompletableFuture<>();

		private final CompletableFuture<Boolean> releasing = new CompletableFuture<>();

		private Decision decision = Decision.admitted(this.permit);

		private Limit limit;

		private LimitOptions options;

		private Runnable lost;

		private int closed;

		private int refunded;

		private boolean held;

		private boolean isBroken;

		@Override
		public Limit limit() {
			return this.limit;
		}

		@Override
		public LimitOptions options() {
			return this.options;
		}

		@Override
		public Decision tryAcquire(AcquireRequest request) {
			this.asked.add(request);
			if (this.decision == null) {
				throw new IllegalStateException("on an event loop");
			}
			return this.decision;
		}

		@Override
		public CompletableFuture<Permit> acquire(AcquireRequest request) {
			this.asked.add(request);
			return this.waiting;
		}

		@Override
		public void refund(AcquireRequest request, Permit permit) {
			assertThat(permit).isSameAs(this.permit);
			requireWhole();
			this.refunded++;
		}

		@Override
		public boolean release(String key, String owner) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
			return this.releasing;
		}

		@Override
		public boolean forget(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public KeyState state(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ThrottleSnapshot snapshot(int top) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean change(Limit limit, LimitOptions options) {
			this.limit = limit;
			this.options = options;
			return true;
		}

		@Override
		public void remove() {
			if (this.held) {
				throw new IllegalStateException("held");
			}
			this.waiting.completeExceptionally(new CancellationException());
		}

		private void requireWhole() {
			if (this.isBroken) {
				throw new IllegalStateException("broken");
			}
		}

		private final class StoredPermit implements Permit {

			@Override
			public void close() {
				requireWhole();
				ScriptedStore.this.closed++;
			}

			@Override
			public OptionalLong fencingToken() {
				return OptionalLong.of(42);
			}

			@Override
			public void onLost(Runnable action) {
				ScriptedStore.this.lost = action;
			}

		}

	}

}
