package dev.sluice.test.store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Decision;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitOptions;
import dev.sluice.throttle.Permit;
import dev.sluice.throttle.ThrottleSnapshot;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.store.StoredThrottle;
import dev.sluice.throttle.store.ThrottleStore;
import dev.sluice.time.NanoClock;

/** A store that is right but for one fault. */
final class BrokenStore implements ThrottleStore {

	private final ThrottleStore store;

	private final Fault fault;

	BrokenStore(NanoClock clock, Fault fault) {
		this.store = ThrottleStore.inMemory(clock);
		this.fault = fault;
	}

	@Override
	public Optional<StoredThrottle> open(String resource, Limit limit, LimitOptions options) {
		return this.store.open(resource, limit, options).map(Broken::new);
	}

	/** What is wrong, and the test that must find it. */
	enum Fault {

		ADMITS_ONE_TOO_MANY("grantsItsLimitAndNoMore"), ADMITS_A_PART("grantsSeveralPermitsAllOrNone"),
		ADMITS_TWICE_A_PERIOD("noWindowHasMoreThanItsBound"), RETRIES_EARLY("tellsTheEarliestTimeToRetry"),
		RETRIES_LATE("tellsTheEarliestTimeToRetry"), COUNTS_PER_NODE("grantsExactlyItsLimitToManyThreads"),
		MIXES_KEYS("keysDoNotMeet"), MANGLES_TEXT("keysOfAnyTextDoNotMeet"),
		SHARES_NOTHING("capacityIsSharedOutAmongActiveKeys"), COUNTS_NOTHING("countsAndListsItsHottestKeys"),
		FORGETS_NOTHING("forgetsAKey"), PASSES_THE_LINE("rateServesItsLineInOrder"),
		WAITS_IN_VAIN("waitThatCannotSufficeFailsAtOnce"), WAITS_NEVER("cancelledHeadLetsTheNextPass"),
		KEEPS_THE_CANCELLED("cancelledCallLeavesTheLine"), IS_PATIENT_FOR_EVER("callFailsWhenItsTimeIsOver"),
		NEVER_CLOSES("noMoreThanTheLimitIsHeldAtOnce"), IGNORES_OWNERS("ownerThatEntersAgainCountsOnce"),
		RELEASES_NOTHING("permitIsReleasedElsewhereByItsOwner"), REPEATS_TOKENS("fencingTokensGrowWithEachGrant"),
		HIDES_HOLDERS("showsWhoHoldsPermitsAndSinceWhen"), REFUNDS_NOTHING("rejectedCallConsumesNothingAnywhere"),
		MINTS_ON_CHANGE("changeMintsNothing"), CHANGES_NOTHING("raisedSemaphoreServesTheLine"),
		REMOVES_WHAT_IS_HELD("removalIsRejectedWhilePermitsAreHeld"),
		EVICTS_THE_BUSY("idleKeyMakesRoomAndABusyOneIsNeverForgotten");

		final String caughtBy;

		Fault(String caughtBy) {
			this.caughtBy = caughtBy;
		}

	}

	private final class Broken implements StoredThrottle {

		private final StoredThrottle stored;

		private final AtomicInteger rejected = new AtomicInteger();

		Broken(StoredThrottle stored) {
			this.stored = stored;
		}

		private boolean is(Fault fault) {
			return BrokenStore.this.fault == fault;
		}

		@Override
		public Limit limit() {
			return this.stored.limit();
		}

		@Override
		public LimitOptions options() {
			return this.stored.options();
		}

		@Override
		public Decision tryAcquire(AcquireRequest request) {
			if (is(Fault.EVICTS_THE_BUSY)) {
				this.stored.forget("busy");
			}
			Decision decision = this.stored.tryAcquire(broken(request));
			if (decision.admitted()) {
				return Decision.admitted(broken(decision.permit()));
			}
			if (is(Fault.ADMITS_A_PART)) {
				this.stored.tryAcquire(request.permits(1));
			}
			boolean once = this.rejected.getAndIncrement() == 0;
			if ((is(Fault.ADMITS_ONE_TOO_MANY) || is(Fault.COUNTS_PER_NODE)) && once
					|| is(Fault.ADMITS_TWICE_A_PERIOD) && this.rejected.get() % 9 == 0
					|| is(Fault.SHARES_NOTHING) && limit() instanceof Limit.DynamicWindow
					|| is(Fault.PASSES_THE_LINE) && decision.reason() == Decision.Reason.LINE) {
				return Decision.admitted(broken(new Nothing()));
			}
			Duration retryAfter = decision.retryAfter();
			long late = is(Fault.RETRIES_EARLY) ? -1 : (is(Fault.RETRIES_LATE) ? 1 : 0);
			return Decision.rejected(decision.reason(), request.resource(), request.key(),
					(retryAfter != null) ? retryAfter.plusNanos(late) : null);
		}

		@Override
		public CompletableFuture<Permit> acquire(AcquireRequest request) {
			AcquireRequest broken = broken(request);
			if (is(Fault.WAITS_NEVER)) {
				broken = broken.maxWait(Duration.ZERO);
			}
			else if ((is(Fault.WAITS_IN_VAIN) || is(Fault.IS_PATIENT_FOR_EVER)) && !request.maxWait().isZero()) {
				broken = broken.maxWait(Duration.ofDays(99));
			}
			CompletableFuture<Permit> permit = this.stored.acquire(broken);
			if (is(Fault.KEEPS_THE_CANCELLED)) {
				CompletableFuture<Permit> other = new CompletableFuture<>();
				permit.whenComplete((granted, ex) -> {
					if (granted != null) {
						other.complete(granted);
					}
					else {
						other.completeExceptionally(
								(ex instanceof ThrottledException) ? ex : new IllegalStateException(ex));
					}
				});
				return other;
			}
			return permit;
		}

		private AcquireRequest broken(AcquireRequest request) {
			AcquireRequest broken = request;
			if (is(Fault.MIXES_KEYS) || is(Fault.MANGLES_TEXT) || is(Fault.IGNORES_OWNERS)) {
				String mangled = new String(request.key().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
				broken = AcquireRequest.of(request.resource(), is(Fault.MIXES_KEYS) ? "" : mangled)
					.permits(request.permits())
					.maxWait(request.maxWait());
			}
			return broken;
		}

		private Permit broken(Permit permit) {
			return (is(Fault.NEVER_CLOSES) || is(Fault.REPEATS_TOKENS)) ? new Stuck(permit) : permit;
		}

		@Override
		public void refund(AcquireRequest request, Permit permit) {
			if (!is(Fault.REFUNDS_NOTHING)) {
				this.stored.refund(request, permit);
			}
		}

		@Override
		public boolean release(String key, String owner) {
			return is(Fault.RELEASES_NOTHING) || this.stored.release(key, owner);
		}

		@Override
		public CompletableFuture<Boolean> releaseAsync(String key, String owner) {
			return is(Fault.RELEASES_NOTHING) ? CompletableFuture.completedFuture(true)
					: this.stored.releaseAsync(key, owner);
		}

		@Override
		public boolean forget(String key) {
			return is(Fault.FORGETS_NOTHING) || this.stored.forget(key);
		}

		@Override
		public KeyState state(String key) {
			KeyState state = this.stored.state(key);
			return is(Fault.HIDES_HOLDERS) ? new KeyState(key, state.limit(), state.used(), state.remaining(),
					state.rejected(), state.waiting(), state.retryAfter(), state.resetAfter(), Optional.empty())
					: state;
		}

		@Override
		public ThrottleSnapshot snapshot(int top) {
			ThrottleSnapshot now = this.stored.snapshot(top);
			return is(Fault.COUNTS_NOTHING) ? new ThrottleSnapshot(now.resource(), now.limit(), now.options(),
					now.version(), 0, 0, 0, 0, 0, now.hottest(), now.holders()) : now;
		}

		@Override
		public boolean change(Limit limit, LimitOptions options) {
			if (is(Fault.MINTS_ON_CHANGE)) {
				this.stored.snapshot(Integer.MAX_VALUE).hottest().forEach((key) -> this.stored.forget(key.key()));
			}
			return is(Fault.CHANGES_NOTHING) || this.stored.change(limit, options);
		}

		@Override
		public void remove() {
			if (is(Fault.REMOVES_WHAT_IS_HELD)) {
				for (Holder holder : this.stored.snapshot(Integer.MAX_VALUE).holders()) {
					this.stored.release(holder.key(), holder.owner());
				}
			}
			this.stored.remove();
		}

		/** A permit whose close or token is wrong. */
		private final class Stuck implements Permit {

			private final Permit permit;

			Stuck(Permit permit) {
				this.permit = permit;
			}

			@Override
			public void close() {
				if (!is(Fault.NEVER_CLOSES)) {
					this.permit.close();
				}
			}

			@Override
			public OptionalLong fencingToken() {
				return is(Fault.REPEATS_TOKENS) ? OptionalLong.of(1) : this.permit.fencingToken();
			}

			@Override
			public void onLost(Runnable action) {
				this.permit.onLost(action);
			}

		}

	}

	/** A permit for which nothing was taken. */
	private static final class Nothing implements Permit {

		@Override
		public void close() {
			// nothing was taken
		}

		@Override
		public OptionalLong fencingToken() {
			return OptionalLong.empty();
		}

		@Override
		public void onLost(Runnable action) {
			// never lost
		}

	}

}
