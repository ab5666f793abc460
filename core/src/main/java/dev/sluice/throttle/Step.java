package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Several limits taken in one step: all, or none. */
final class Step {

	/*
	 * The guards of all cells are taken in the order of the demands, every limit is
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

	/** Makes the step that takes what is demanded of throttles in memory, sorted. */
	static Step of(List<Demand> demands) {
		List<Ask<?>> asks = new ArrayList<>(demands.size());
		demands.forEach((demand) -> asks.add(new Ask<>((MemoryThrottle<?>) demand.throttle(), demand.request())));
		return new Step(asks);
	}

	/** Takes all or nothing, at once. */
	Decision tryAcquire() {
		return told(() -> {
			Ask<?> rejecting = judge(Ask::refuses);
			if (rejecting != null) {
				this.asks.stream().filter(Ask::refuses).forEach(Ask::count);
				return rejecting.rejection();
			}
			return Decision.admitted(take());
		});
	}

	/** Takes all or nothing, or returns nothing if it is worth to wait. */
	@Nullable Decision acquireOrWait() {
		return told(() -> {
			if (judge(Ask::refuses) == null) {
				return Decision.admitted(take());
			}
			return refuse(Duration.ZERO);
		});
	}

	/** Takes nothing; returns the rejection if it is not worth to wait. */
	@Nullable Decision refusal() {
		return told(() -> (judge(Ask::refuses) != null) ? refuse(Duration.ZERO) : null);
	}

	private @Nullable Decision refuse(Duration waited) {
		Ask<?> rejecting = judge((ask) -> ask.refuses() && !ask.mayWait(waited));
		if (rejecting == null) {
			return null;
		}
		rejecting.count();
		return rejecting.rejection();
	}

	/** Waits for the rates among the asks, in all of their lines at once. */
	CompletableFuture<Permit> acquireRates(Duration waited) {
		return new Step(this.asks.stream().filter((ask) -> !ask.isHeld()).toList()).standInLines(waited);
	}

	private CompletableFuture<Permit> standInLines(Duration waited) {
		Effects effects = new Effects();
		MemoryThrottle<?> any = this.asks.get(0).throttle;
		CompletableFuture<Permit> answer = told(() -> {
			if (judge(Ask::refuses) == null) {
				return CompletableFuture.completedFuture(take());
			}
			Decision refusal = refuse(waited);
			if (refusal != null) {
				return MemoryThrottle.answer(refusal);
			}
			Duration maxWait = this.asks.stream()
				.map((ask) -> ask.maxWait)
				.min(Comparator.naturalOrder())
				.orElseThrow();
			boolean timed = MemoryThrottle.isTimed(maxWait);
			long now = any.clock.nanoTime();
			long deadline = timed ? now + maxWait.minus(waited).toNanos() : 0;
			List<Ask<?>> lines = this.asks.stream().filter(Ask::hasLine).toList();
			Waiter waiter = new Waiter(lines.stream().<Place>map(Ask::place).toList(), true, now, deadline, timed);
			lines.forEach((ask) -> ask.standInLine(waiter));
			lines.forEach((ask) -> ask.serve(effects));
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
				List<Permit> permits = new ArrayList<>(this.asks.size());
				this.asks.forEach((ask) -> permits.add(ask.grant()));
				effects.settle(waiter, JointPermit.of(permits));
				this.asks.forEach((ask) -> ask.serve(effects));
			}
			return served;
		});
	}

	private <T extends @Nullable Object> T told(Supplier<T> action) {
		T result = guarded(action);
		this.asks.forEach(Ask::tell);
		return result;
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
		return JointPermit.of(permits);
	}

	boolean hasRates() {
		return this.asks.stream().anyMatch((ask) -> !ask.isHeld());
	}

	/** What is asked of one cell. */
	private static final class Ask<C extends Cell> {

		private final MemoryThrottle<C> throttle;

		private final String resource;

		private final String key;

		private final @Nullable String owner;

		private final Duration maxWait;

		private final int permits;

		private @Nullable Place place;

		private @Nullable C cell;

		private long now;

		private long verdict;

		/** Whether permits were taken, or a rejection was counted. */
		private boolean decided;

		Ask(MemoryThrottle<C> throttle, AcquireRequest request) {
			this.throttle = throttle;
			this.resource = request.resource();
			this.key = request.key();
			this.owner = request.owner();
			this.maxWait = request.maxWait();
			this.permits = request.permits();
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

		void lock() {
			this.cell = (this.place != null) ? this.throttle.lockExisting(this.key) : this.throttle.lock(this.key);
		}

		void unlock() {
			if (this.cell != null) {
				this.throttle.unlock(this.key, this.cell);
			}
		}

		/**
		 * Judges what is asked, which may have come to be more than the limit can give.
		 */
		void judge() {
			this.throttle.checkPermits(this.permits);
			this.now = this.throttle.clock.nanoTime();
			this.verdict = (this.cell != null) ? this.throttle.judge(this.cell, this.permits, this.owner, this.now)
					: Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
		}

		/** Returns whether it is rejected, and that counts: in a dry run it does not. */
		boolean refuses() {
			return this.verdict != Verdict.ADMITTED && !this.throttle.options().dryRun();
		}

		void count() {
			this.decided = true;
			this.throttle.count(this.cell);
		}

		void tell() {
			if (this.decided) {
				this.throttle.tell(this.key, this.permits, this.verdict);
			}
		}

		Decision rejection() {
			return Decision.rejected(Verdict.reason(this.verdict), this.resource, this.key,
					Verdict.waitNanos(this.verdict));
		}

		boolean mayWait(Duration waited) {
			return this.cell != null && this.throttle.mayWait(this.cell, Verdict.waitNanos(this.verdict), left(waited));
		}

		private Duration left(Duration waited) {
			return (this.maxWait.compareTo(waited) > 0) ? this.maxWait.minus(waited) : Duration.ZERO;
		}

		Permit take() {
			if (this.cell == null || this.verdict != Verdict.ADMITTED) {
				count();
				return SpentPermit.INSTANCE;
			}
			this.decided = true;
			Permit permit = this.throttle.take(this.cell, this.key, this.permits, this.owner, this.now);
			return (this.throttle instanceof RateThrottle rate) ? new RatePermit(rate, this.key, this.permits, this.now)
					: permit;
		}

		/**
		 * Returns whether it has a line, or else counts: in a dry run, at the key cap.
		 */
		boolean hasLine() {
			if (this.cell == null) {
				count();
			}
			return this.cell != null;
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

		Permit grant() {
			C cell = Objects.requireNonNull(this.cell);
			cell.line().remove(Objects.requireNonNull(this.place));
			return take();
		}

	}

}
