package dev.sluice.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Several limits in memory, acquired in one step: all, or none. */
final class Step {

	/*
	 * The guards of all cells are taken in the order of the demands, every limit is
	 * judged, and only if all admit are they taken from. Nobody can see a part of it, and
	 * nothing has to be undone. The order excludes a deadlock with another step; all
	 * other code holds one guard at a time.
	 *
	 * Whoever has to wait stands in the line of one limit (see JointWaiter). At the
	 * others a call passes those in line that came later than it did, so it never moves
	 * to a line at whose head it would be admitted, and a step ends.
	 *
	 * Attacked by SeveralLimitsTests, JointWaitTests and HeldLincheckTests.
	 */

	private final List<Demand> demands;

	private final List<Ask<?>> asks;

	/** What was taken when a throttle turned out to be removed. */
	private List<Permit> unwanted = List.of();

	private Step(List<Demand> demands, List<Ask<?>> asks) {
		this.demands = demands;
		this.asks = asks;
	}

	/** Makes the step that takes what is demanded of throttles in memory, sorted. */
	static Step of(List<Demand> demands) {
		List<Ask<?>> asks = new ArrayList<>(demands.size());
		demands.forEach((demand) -> asks.add(new Ask<>((MemoryThrottle<?>) demand.throttle(), demand.request())));
		return new Step(demands, asks);
	}

	/** Takes all or nothing, at once. */
	Decision tryAcquire() {
		return told(() -> {
			judge(Ask::judge);
			Ask<?> rejecting = longest(Ask::refuses);
			if (rejecting != null) {
				this.asks.stream().filter(Ask::refuses).forEach(Ask::count);
				return rejecting.rejection();
			}
			return Decision.admitted(take());
		});
	}

	/** Takes all or nothing, at once, for a call that may wait: no rejection counts. */
	Decision tryAcquire(long since) {
		return told(() -> {
			judge((ask) -> ask.judge(since, null));
			Ask<?> rejecting = longest(Ask::refuses);
			return (rejecting != null) ? rejecting.rejection() : Decision.admitted(take());
		});
	}

	/** Takes all or nothing, at once or after a wait, for a call that came at a time. */
	CompletableFuture<Permit> acquire(long since) {
		Effects effects = new Effects();
		CompletableFuture<Permit> answer = told(() -> {
			judge((ask) -> ask.judge(since, null));
			Ask<?> rejecting = longest(Ask::refuses);
			if (rejecting == null) {
				return CompletableFuture.completedFuture(take());
			}
			Ask<?> refusing = longest((ask) -> ask.refuses() && !ask.mayWait(since));
			if (refusing != null) {
				refusing.count();
				return MemoryThrottle.answer(refusing.rejection());
			}
			JointWaiter waiter = new JointWaiter(this.demands, rejecting.place(since), since);
			rejecting.stand(waiter, effects);
			return waiter;
		});
		this.asks.get(0).throttle.perform(effects);
		return answer;
	}

	/** Serves a waiter that one limit would admit, or lets it wait for another one. */
	void serve(JointWaiter waiter, Effects effects) {
		try {
			guarded(() -> {
				Place place = waiter.place();
				Ask<?> here = this.asks.stream().filter((ask) -> ask.isFor(place)).findFirst().orElseThrow();
				if (!waiter.isSettled() && here.isHead(place)) {
					serve(waiter, place, here, effects);
				}
				return waiter;
			});
		}
		catch (RuntimeException ex) {
			fail(waiter, ex, effects);
		}
	}

	private void serve(JointWaiter waiter, Place place, Ask<?> here, Effects effects) {
		judge((ask) -> ask.judge(waiter.since, place));
		Ask<?> rejecting = longest(Ask::refuses);
		Ask<?> refusing = longest((ask) -> ask != here && ask.refuses() && !ask.mayWait(waiter.since));
		if (rejecting == null) {
			if (waiter.claim()) {
				here.leave(place);
				effects.settle(waiter, takeOrFail());
			}
		}
		else if (refusing != null) {
			if (waiter.claim()) {
				here.leave(place);
				refusing.count();
				effects.settle(waiter, refusing.rejection().throttled());
			}
		}
		else if (rejecting != here) {
			here.leave(place);
			waiter.place(rejecting.place(waiter.since));
			rejecting.stand(waiter, effects);
		}
		here.serve(effects);
	}

	private Object takeOrFail() {
		try {
			return take();
		}
		catch (IllegalStateException ex) {
			return ex;
		}
	}

	/**
	 * Ends a call for a throttle that was removed, or which cannot be granted any more.
	 */
	private void fail(JointWaiter waiter, RuntimeException ex, Effects effects) {
		if (waiter.claim()) {
			Ask<?> beyond = this.asks.stream().filter(Ask::isBeyond).findFirst().orElse(null);
			effects.settle(waiter, (beyond != null) ? beyond.throttled() : ex);
			waiter.place().throttle.leave(waiter, waiter.place());
		}
	}

	private <T extends @Nullable Object> T told(Supplier<T> action) {
		T result = guarded(action);
		this.asks.forEach(Ask::tell);
		return result;
	}

	private <T extends @Nullable Object> T guarded(Supplier<T> action) {
		int locked = 0;
		this.unwanted = List.of();
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

	private void judge(Consumer<Ask<?>> judgement) {
		this.asks.forEach(judgement);
	}

	/** Returns the limit to wait for longest of those that match. */
	private @Nullable Ask<?> longest(Predicate<Ask<?>> condition) {
		Ask<?> longest = null;
		for (Ask<?> ask : this.asks) {
			if (condition.test(ask) && (longest == null || Verdict.both(longest.verdict, ask.verdict) == ask.verdict)) {
				longest = ask;
			}
		}
		return longest;
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

	/** What is asked of one cell. */
	private static final class Ask<C extends Cell> {

		private final MemoryThrottle<C> throttle;

		private final AcquireRequest request;

		private final String key;

		private final int permits;

		private @Nullable C cell;

		private long now;

		private long verdict;

		/** Whether permits were taken, or a rejection was counted. */
		private boolean decided;

		Ask(MemoryThrottle<C> throttle, AcquireRequest request) {
			this.throttle = throttle;
			this.request = request;
			this.key = request.key();
			this.permits = request.permits();
		}

		void lock() {
			this.decided = false;
			this.cell = this.throttle.lock(this.key);
		}

		void unlock() {
			if (this.cell != null) {
				this.throttle.unlock(this.key, this.cell);
			}
		}

		boolean isFor(Place place) {
			return place.throttle == this.throttle && place.key.equals(this.key);
		}

		/**
		 * Judges what is asked, which may have come to be more than the limit can give.
		 */
		void judge() {
			this.throttle.checkPermits(this.permits);
			this.now = this.throttle.clock.nanoTime();
			this.verdict = (this.cell != null)
					? this.throttle.judge(this.cell, this.permits, this.request.owner(), this.now)
					: Verdict.keyCap(this.throttle.roomAfter(this.throttle.terms));
		}

		/** Judges for a call that came at a time, and passes who came later. */
		void judge(long since, @Nullable Place own) {
			Line line = (this.cell != null) ? this.cell.existingLine() : null;
			Place head = (line != null) ? line.head() : null;
			if (head == null || (head != own && since - head.since >= 0)) {
				judge();
				return;
			}
			this.throttle.checkPermits(this.permits);
			this.now = this.throttle.clock.nanoTime();
			long wait = this.throttle.untilServed(Objects.requireNonNull(this.cell), this.permits, this.now);
			this.verdict = (wait == 0) ? Verdict.ADMITTED : Verdict.limit(wait);
		}

		/** Returns whether more is asked for than the limit can give by now. */
		boolean isBeyond() {
			return this.permits > this.throttle.terms.maxPermits;
		}

		ThrottledException throttled() {
			return this.throttle.terms.throttled(this.key, Decision.UNKNOWN);
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
			return Decision.rejected(Verdict.reason(this.verdict), this.request.resource(), this.key,
					Verdict.waitNanos(this.verdict));
		}

		/**
		 * Returns whether a call that came at a time may wait here for as long as it
		 * takes.
		 */
		boolean mayWait(long since) {
			Duration waited = Duration.ofNanos(Math.max(0, this.now - since));
			Duration maxWait = this.request.maxWait();
			Duration left = (maxWait.compareTo(waited) > 0) ? maxWait.minus(waited) : Duration.ZERO;
			return this.cell != null && this.throttle.mayWait(this.cell, Verdict.waitNanos(this.verdict), left);
		}

		Permit take() {
			if (this.cell == null || this.verdict != Verdict.ADMITTED) {
				count();
				return SpentPermit.INSTANCE;
			}
			this.decided = true;
			Permit permit = this.throttle.take(this.cell, this.key, this.permits, this.request.owner(), this.now);
			return (this.throttle instanceof RateThrottle rate && this.cell instanceof RateCell from)
					? new RatePermit(rate, this.key, from, this.permits, this.now) : permit;
		}

		Place place(long since) {
			return new Place(this.throttle, this.key, this.permits, null, since);
		}

		/** Adds a waiter to the line, at the place that it has. */
		void stand(JointWaiter waiter, Effects effects) {
			C cell = Objects.requireNonNull(this.cell);
			waiter.limitWait(this.request.maxWait());
			this.throttle.stand(cell, waiter.place(), waiter, this.now);
			if (waiter.isSettled()) {
				leave(waiter.place());
			}
			serve(effects);
		}

		void leave(Place place) {
			Objects.requireNonNull(this.cell).line().remove(place);
		}

		void serve(Effects effects) {
			this.throttle.serve(Objects.requireNonNull(this.cell), this.key, this.throttle.clock.nanoTime(), effects);
		}

		boolean isHead(Place place) {
			Line line = (this.cell != null) ? this.cell.existingLine() : null;
			return line != null && line.head() == place;
		}

	}

}
