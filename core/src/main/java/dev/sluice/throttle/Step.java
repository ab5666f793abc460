package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import dev.sluice.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Several limits taken in one step: all, or none. */
final class Step {

	/*
	 * The guards of all cells are taken in the order of (resource, key), every limit is
	 * judged, and only if all admit are they taken from. Nobody can see a part of it, and
	 * nothing has to be undone. The order excludes a deadlock with another step; all
	 * other code holds one guard at a time.
	 *
	 * Attacked by SeveralLimitsTests and HeldLincheckTests.
	 */

	private final List<Ask<?>> asks;

	/** What was taken when a throttle turned out to be removed. */
	private List<Permit> unwanted = List.of();

	private Step(List<Ask<?>> asks) {
		this.asks = asks;
	}

	static Step of(AcquireRequest[] requests, Function<String, MemoryThrottle<?>> throttles) {
		if (requests.length == 0) {
			throw new IllegalArgumentException("'requests' must not be empty");
		}
		List<Ask<?>> asks = new ArrayList<>(requests.length);
		for (AcquireRequest request : requests) {
			Checks.notNull("request", request);
			add(asks, new Ask<>(throttles.apply(request.resource()), request));
		}
		Collections.sort(asks);
		return new Step(asks);
	}

	private static void add(List<Ask<?>> asks, Ask<?> ask) {
		for (Ask<?> other : asks) {
			if (other.compareTo(ask) == 0) {
				other.merge(ask);
				return;
			}
		}
		asks.add(ask);
	}

	/** Takes all or nothing, at once. */
	Decision tryAcquire() {
		return guarded(() -> {
			Ask<?> rejecting = judge(Ask::refuses);
			if (rejecting != null) {
				this.asks.stream().filter(Ask::refuses).forEach(Ask::count);
				return rejecting.rejection();
			}
			return Decision.admitted(take());
		});
	}

	/** Takes all or nothing, at once or after a wait. */
	CompletableFuture<Permit> acquire() {
		if (this.asks.size() == 1) {
			return this.asks.get(0).acquire(Duration.ZERO);
		}
		Decision decision = guarded(() -> {
			if (judge(Ask::refuses) == null) {
				return Decision.admitted(take());
			}
			Ask<?> rejecting = judge((ask) -> ask.refuses() && !ask.mayWait());
			if (rejecting != null) {
				rejecting.count();
				return rejecting.rejection();
			}
			return null;
		});
		return (decision != null) ? MemoryThrottle.answer(decision) : new StepwiseAcquire(this).start();
	}

	/** Waits for the rates among the asks, in all of their lines at once. */
	CompletableFuture<Permit> acquireRates(Duration waited) {
		List<Ask<?>> rates = this.asks.stream().filter((ask) -> !ask.isHeld()).toList();
		return (rates.size() == 1) ? rates.get(0).acquire(waited) : new Step(rates).standInLines(waited);
	}

	private CompletableFuture<Permit> standInLines(Duration waited) {
		Effects effects = new Effects();
		MemoryThrottle<?> any = this.asks.get(0).throttle;
		CompletableFuture<Permit> answer = guarded(() -> {
			if (judge(Ask::refuses) == null) {
				return CompletableFuture.completedFuture(take());
			}
			Ask<?> rejecting = judge((ask) -> ask.refuses() && !ask.mayWait(waited));
			if (rejecting != null) {
				rejecting.count();
				return MemoryThrottle.answer(rejecting.rejection());
			}
			Duration maxWait = this.asks.stream()
				.map((ask) -> ask.maxWait)
				.min(Comparator.naturalOrder())
				.orElseThrow();
			boolean timed = MemoryThrottle.isTimed(maxWait);
			long deadline = timed ? any.clock.nanoTime() + maxWait.minus(waited).toNanos() : 0;
			Waiter waiter = new Waiter(this.asks.stream().<Place>map(Ask::place).toList(), deadline, timed);
			this.asks.forEach((ask) -> ask.standInLine(waiter));
			this.asks.forEach((ask) -> ask.serve(effects));
			return waiter;
		});
		any.perform(effects);
		return answer;
	}

	/** Serves a waiter for several rates if it is the first of all and all admit. */
	static void serve(Waiter waiter, Effects effects) {
		List<Ask<?>> asks = new ArrayList<>(waiter.places.size());
		for (Place place : waiter.places) {
			asks.add(new Ask<>(place));
		}
		new Step(asks).grant(waiter, effects);
	}

	private void grant(Waiter waiter, Effects effects) {
		guarded(() -> {
			boolean served = !waiter.isSettled() && this.asks.stream().allMatch(Ask::isFirst)
					&& this.asks.stream().noneMatch((ask) -> ask.mustWait(effects)) && waiter.claim();
			if (served) {
				this.asks.forEach((ask) -> ask.grant(waiter));
				effects.settle(waiter, SpentPermit.INSTANCE);
				this.asks.forEach((ask) -> ask.serve(effects));
			}
			return served;
		});
	}

	private <T extends @Nullable Object> T guarded(Supplier<T> action) {
		int locked = 0;
		try {
			for (Ask<?> ask : this.asks) {
				ask.lock();
				locked++;
			}
			return action.get();
		}
		finally {
			while (locked > 0) {
				this.asks.get(--locked).unlock();
			}
			this.unwanted.forEach(Permit::close);
		}
	}

	/** Judges each limit; returns the one to wait for longest of those that match. */
	private @Nullable Ask<?> judge(Predicate<Ask<?>> rejects) {
		Ask<?> rejecting = null;
		for (Ask<?> ask : this.asks) {
			ask.judge();
			if (rejects.test(ask)
					&& (rejecting == null || Verdict.both(rejecting.verdict, ask.verdict) == ask.verdict)) {
				rejecting = ask;
			}
		}
		return rejecting;
	}

	private Permit take() {
		List<Permit> permits = new ArrayList<>(this.asks.size());
		try {
			for (Ask<?> ask : this.asks) {
				permits.add(ask.take());
			}
		}
		catch (IllegalStateException ex) {
			this.unwanted = permits;
			throw ex;
		}
		return (permits.size() == 1) ? permits.get(0) : new JointPermit(permits);
	}

	List<Ask<?>> held() {
		return this.asks.stream().filter(Ask::isHeld).toList();
	}

	boolean hasRates() {
		return this.asks.stream().anyMatch((ask) -> !ask.isHeld());
	}

	NanoClock clock() {
		return this.asks.get(0).throttle.clock;
	}

	/** What is asked of one cell. */
	static final class Ask<C extends Cell> implements Comparable<Ask<?>> {

		private final MemoryThrottle<C> throttle;

		private final String resource;

		private final String key;

		private final @Nullable String owner;

		private final Duration maxWait;

		private int permits;

		private @Nullable Place place;

		private @Nullable C cell;

		private long now;

		private long verdict;

		Ask(MemoryThrottle<C> throttle, AcquireRequest request) {
			this.throttle = throttle;
			this.resource = request.resource();
			this.key = request.key();
			this.owner = request.owner();
			this.maxWait = request.maxWait();
			this.permits = request.permits();
			throttle.terms.checkPermits(this.permits);
		}

		@SuppressWarnings("unchecked")
		Ask(Place place) {
			this.throttle = (MemoryThrottle<C>) place.throttle;
			this.resource = place.throttle.resource();
			this.key = place.key;
			this.owner = null;
			this.maxWait = Duration.ZERO;
			this.permits = place.permits;
			this.place = place;
		}

		boolean isHeld() {
			return this.throttle instanceof HeldThrottle;
		}

		/** Compares by the one order in which guards are taken. */
		@Override
		public int compareTo(Ask<?> other) {
			if (isHeld() != other.isHeld()) {
				return isHeld() ? -1 : 1;
			}
			int byResource = this.resource.compareTo(other.resource);
			return (byResource != 0) ? byResource : this.key.compareTo(other.key);
		}

		/** Adds up a rate; one owner of a mutex or semaphore counts once. */
		void merge(Ask<?> other) {
			if (!isHeld()) {
				this.permits = Math.addExact(this.permits, other.permits);
				this.throttle.terms.checkPermits(this.permits);
			}
			else if (Objects.equals(this.owner, other.owner)) {
				this.permits = Math.max(this.permits, other.permits);
			}
			else {
				throw new IllegalArgumentException("'owner' must be the same in all requests for one key of '"
						+ this.resource + "': '" + this.owner + "', '" + other.owner + "'");
			}
		}

		void lock() {
			this.cell = (this.place != null) ? this.throttle.lockExisting(this.key) : this.throttle.lock(this.key);
		}

		void unlock() {
			if (this.cell != null) {
				this.throttle.unlock(this.key, this.cell);
			}
		}

		void judge() {
			this.now = this.throttle.clock.nanoTime();
			this.verdict = (this.cell != null) ? this.throttle.judge(this.cell, this.permits, this.owner, this.now)
					: Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
		}

		/** Returns whether it is rejected, and that counts: in a dry run it does not. */
		boolean refuses() {
			return this.verdict != Verdict.ADMITTED && !this.throttle.options().dryRun();
		}

		void count() {
			this.throttle.count(this.cell);
		}

		Decision rejection() {
			return Decision.rejected(Verdict.reason(this.verdict), this.resource, this.key,
					Verdict.waitNanos(this.verdict));
		}

		boolean mayWait() {
			return mayWait(Duration.ZERO);
		}

		boolean mayWait(Duration waited) {
			return this.cell != null && this.throttle.mayWait(this.cell, Verdict.waitNanos(this.verdict), left(waited));
		}

		private Duration left(Duration waited) {
			return (this.maxWait.compareTo(waited) > 0) ? this.maxWait.minus(waited) : Duration.ZERO;
		}

		CompletableFuture<Permit> acquire(Duration waited) {
			return this.throttle.acquire(this.key, this.permits, this.owner, left(waited));
		}

		Permit take() {
			if (this.cell == null || this.verdict != Verdict.ADMITTED) {
				count();
				return SpentPermit.INSTANCE;
			}
			return this.throttle.take(this.cell, this.key, this.permits, this.owner, this.now);
		}

		Place place() {
			this.place = new Place(this.throttle, this.key, this.permits, null);
			return this.place;
		}

		void standInLine(Waiter waiter) {
			this.throttle.append(Objects.requireNonNull(this.cell), Objects.requireNonNull(this.place), waiter,
					this.now);
		}

		void serve(Effects effects) {
			this.throttle.serve(Objects.requireNonNull(this.cell), this.key, this.throttle.clock.nanoTime(), effects);
		}

		boolean isFirst() {
			Line line = (this.cell != null) ? this.cell.existingLine() : null;
			return line != null && line.head() == this.place;
		}

		/**
		 * Returns whether it must wait on, and then sees to it that somebody looks again.
		 */
		boolean mustWait(Effects effects) {
			C cell = Objects.requireNonNull(this.cell);
			this.now = this.throttle.clock.nanoTime();
			long wait = this.throttle.untilServed(cell, this.permits, this.now);
			this.verdict = (wait == 0) ? Verdict.ADMITTED : Verdict.limit(wait);
			if (refuses()) {
				this.throttle.wake(cell.line(), this.key, wait, this.now, effects);
			}
			return refuses();
		}

		void grant(Waiter waiter) {
			C cell = Objects.requireNonNull(this.cell);
			cell.line().remove(Objects.requireNonNull(this.place));
			take();
			waiter.grantedAt = this.now;
		}

	}

}
